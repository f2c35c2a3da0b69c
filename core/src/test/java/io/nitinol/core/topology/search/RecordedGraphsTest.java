// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.topology.PathOptions;
import io.nitinol.core.topology.RecordedMachine;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyPaths;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our graphs of the topology that real NCCL wrote are those that it wrote, byte for byte. */
class RecordedGraphsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theGraphsAreNccls(int gpus) throws Exception {
    Topology machine = RecordedMachine.topology(gpus);
    Map<GraphKind, ChannelGraph> found =
        GraphSearch.all(
            machine, TopologyPaths.of(machine, PathOptions.DEFAULT), SearchOptions.ONE_HOST);
    String theirs = RecordedMachine.text("h100-" + gpus + "-graphs.xml");
    assertThat(GraphDocument.text(found)).isEqualTo(theirs);
    Map<GraphKind, ChannelGraph> read =
        GraphDocument.parse("graphs.xml", theirs.getBytes(UTF_8), machine);
    assertThat(read).isEqualTo(found);
    assertThat(GraphDocument.text(read)).isEqualTo(theirs);
  }

  @ParameterizedTest
  @ValueSource(ints = 2)
  void theRingsAreNccls(int gpus) throws Exception {
    Topology machine = RecordedMachine.topology(gpus);
    Map<GraphKind, ChannelGraph> found =
        GraphSearch.all(
            machine, TopologyPaths.of(machine, PathOptions.DEFAULT), SearchOptions.ONE_HOST);
    HostOrders orders =
        new HostOrders(
            List.of(
                new HostOrders.Host(
                    found.get(GraphKind.RING),
                    found.get(GraphKind.TREE),
                    IntStream.range(0, gpus).boxed().toList())),
            90);
    List<String> theirs = RecordedMachine.log(gpus, "Channel ");
    assertThat(theirs).hasSize(orders.channels());
    for (int channel = 0; channel < orders.channels(); channel++) {
      assertThat(theirs.get(channel))
          .isEqualTo("Channel %02d/%02d : 0 1", channel, orders.channels());
      assertThat(orders.ring(channel)).isEqualTo(List.of(0, 1));
    }
  }
}
