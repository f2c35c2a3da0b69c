// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.topology.PathOptions;
import io.nitinol.core.topology.RecordedMachine;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyPaths;
import io.nitinol.core.topology.search.ChannelGraph;
import io.nitinol.core.topology.search.GraphKind;
import io.nitinol.core.topology.search.GraphSearch;
import io.nitinol.core.topology.search.SearchOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Our model of two H100s is the table that real NCCL logged, and our choices are its own. */
class RecordedTuningTest {
  private static final Pattern PICK =
      Pattern.compile(
          "(\\w+): (\\d+) Bytes -> Algo (\\w+) proto (\\w+) channel\\{Lo\\.\\.Hi}=\\{0\\.\\.(\\d+)}");

  private static GpuCostModel model;

  @BeforeAll
  static void compute() throws Exception {
    Topology machine = RecordedMachine.topology(2);
    Map<GraphKind, ChannelGraph> graphs =
        GraphSearch.all(
            machine, TopologyPaths.of(machine, PathOptions.DEFAULT), SearchOptions.ONE_HOST);
    model =
        new GpuCostModel(
            new GpuModelInputs(graphs, 2, 1, 90, 90, "x86_64", "GenuineIntel", true, 24, 0, 0));
  }

  @Test
  void everyLineOfTheTableIsNccls() {
    List<String> theirs = RecordedMachine.log(2, "|");
    assertThat(theirs).hasSize(24);
    List<String> ours = GpuTuningTable.lines(model);
    assertThat(ours.stream().map(String::strip).toList())
        .isEqualTo(theirs.stream().map(String::strip).toList());
  }

  @Test
  void everyChoiceIsNccls() {
    List<String> picks = RecordedMachine.log(2, "Bytes -> Algo");
    assertThat(picks).hasSizeGreaterThan(60);
    for (String line : picks) {
      Matcher pick = PICK.matcher(line);
      assertThat(pick.matches()).as(line).isTrue();
      GpuCollective collective =
          Arrays.stream(GpuCollective.values())
              .filter(each -> each.label().equals(pick.group(1)))
              .findFirst()
              .orElseThrow();
      GpuChoice ours = GpuChoice.of(model, collective, Long.parseLong(pick.group(2)));
      assertThat(
              "%s: %s Bytes -> Algo %s proto %s channel{Lo..Hi}={0..%d}"
                  .formatted(
                      pick.group(1),
                      pick.group(2),
                      ours.algorithm(),
                      ours.protocol(),
                      ours.channels() - 1))
          .isEqualTo(line);
    }
  }
}
