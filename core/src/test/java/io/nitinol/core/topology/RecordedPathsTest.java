// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our paths of the topology that real NCCL wrote are those that it logged. */
class RecordedPathsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void everyCellIsNccls(int gpus) throws Exception {
    Topology machine = RecordedMachine.topology(gpus);
    TopologyPaths paths = TopologyPaths.of(machine, PathOptions.DEFAULT);
    List<String> ours = new ArrayList<>();
    for (NodeKind kind : List.of(NodeKind.GPU, NodeKind.NET)) {
      for (TopologyNode from : machine.nodes(kind)) {
        ours.add(line(machine, paths, from));
      }
    }
    // Each rank logs its own, which are the same.
    List<String> logged = RecordedMachine.log(gpus, " :GPU/").stream().distinct().toList();
    assertThat(logged).hasSize(gpus + 1);
    assertThat(ours).isEqualTo(logged);
  }

  private static String line(Topology machine, TopologyPaths paths, TopologyNode from) {
    StringBuilder line = new StringBuilder(name(from)).append(" :");
    for (NodeKind kind : List.of(NodeKind.GPU, NodeKind.NVS, NodeKind.CPU, NodeKind.NET)) {
      for (TopologyNode to : machine.nodes(kind)) {
        TopologyPath path = paths.path(from, to);
        if (path.kind() != PathKind.DIS) {
          BigDecimal bandwidth =
              new BigDecimal(path.bandwidth()).setScale(1, RoundingMode.HALF_EVEN);
          line.append("%s (%d/%s/%s) ".formatted(name(to), path.hops(), bandwidth, path.kind()));
        }
      }
    }
    return line.toString().strip();
  }

  /** Names a node as NCCL's log does: by numbers in hexadecimal digits, -1 in 56 bits. */
  private static String name(TopologyNode node) {
    String id =
        switch (node.kind()) {
          case GPU -> Long.toHexString(Long.parseLong(node.id().replaceAll("[:.]", ""), 16));
          case CPU -> Long.toHexString(Long.parseLong(node.id()) & 0xff_ffff_ffff_ffffL);
          default -> node.id();
        };
    return node.kind() + "/" + node.system() + "-" + id;
  }
}
