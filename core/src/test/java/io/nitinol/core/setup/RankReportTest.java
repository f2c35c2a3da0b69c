// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.progress.EngineView;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.Connectors.Flow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which ends of connections a rank tells each second, of the many that it may have. */
class RankReportTest {
  private static final List<EngineView.Wait> FOR_7 = List.of(new EngineView.Wait(7, "a message"));

  private static Flow sent(int peer, int channel, long pending) {
    return new Flow(peer, channel, Connectors.Use.COLLECTIVE, true, 5, pending);
  }

  private static Flow arrived(int peer, int channel, long pending) {
    return new Flow(peer, channel, Connectors.Use.COLLECTIVE, false, 5, pending);
  }

  @Test
  void whatMayShowALossComesFirst() {
    Flow lacking = arrived(7, 0, 1);
    Flow stuck = sent(9, 0, 2);
    Flow left = sent(8, 0, 0);
    List<Flow> all = List.of(left, stuck, arrived(7, 1, 0), arrived(6, 0, 1), lacking);
    assertThat(RankReport.telling(all, FOR_7)).containsExactly(lacking, stuck, left);
  }

  @Test
  void ofThousandsFewAreTold() {
    List<Flow> all = new ArrayList<>();
    for (int peer = 0; peer < 100; peer++) {
      for (int channel = 0; channel < 20; channel++) {
        all.add(sent(peer, channel, 0));
        all.add(arrived(peer, channel, 1));
      }
    }
    Flow stuck = sent(100, 0, 1);
    all.add(stuck);
    assertThat(RankReport.telling(all, FOR_7))
        .hasSize(64)
        .contains(stuck, sent(0, 0, 0))
        .filteredOn(flow -> !flow.sends())
        .hasSize(20)
        .allMatch(flow -> flow.peer() == 7);
  }
}
