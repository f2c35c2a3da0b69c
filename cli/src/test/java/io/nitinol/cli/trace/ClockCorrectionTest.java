// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The clocks of many hosts, which a job of a large cluster has. */
class ClockCorrectionTest {
  private static final long UTC = 1_790_000_000_000_000_000L;
  private static final long MILLI = 1_000_000;

  private static RankTrace trace(String communicator, int host, long ahead, long... begins) {
    List<RankTrace.Operation> operations = new ArrayList<>();
    for (int i = 0; i < begins.length; i++) {
      long begin = UTC + begins[i] + ahead;
      operations.add(new RankTrace.Operation("all_reduce " + i, begin, begin + MILLI));
    }
    return new RankTrace(
        Path.of("file"),
        communicator,
        host,
        9999,
        "host" + host,
        "clock" + host,
        0,
        false,
        operations,
        operations.size(),
        UTC + begins[0] + ahead);
  }

  /** A table of all pairs of hosts, or a step for each triple, would be too much. */
  @Test
  void thousandsOfHostsAreCorrected() {
    List<RankTrace> traces = new ArrayList<>();
    int hosts = 5_000;
    for (int host = 0; host < hosts; host++) {
      traces.add(trace("one", host, host * 1000L * MILLI, 0, 10 * MILLI, 20 * MILLI));
    }
    List<ClockCorrection.Known> known = ClockCorrection.of(traces).known();
    assertThat(known).hasSize(hosts);
    for (int host = 0; host < hosts; host++) {
      assertThat(known.get(host).nanos()).isEqualTo(-host * 1000.0 * MILLI, within(1.0 * MILLI));
      assertThat(known.get(host).within()).isLessThanOrEqualTo(1.0 * MILLI);
    }
  }

  /** Each host meets only the next one, so the way to the last leads over all of them. */
  @Test
  void aChainOfHostsIsCorrectedToItsEnd() {
    List<RankTrace> traces = new ArrayList<>();
    int hosts = 50;
    for (int host = 0; host < hosts; host++) {
      long ahead = (host % 7 - 3) * 100 * MILLI;
      if (host > 0) {
        traces.add(trace("pair " + (host - 1), host, ahead, (hosts - host) * MILLI));
      }
      if (host < hosts - 1) {
        traces.add(trace("pair " + host, host, ahead, (hosts - host - 1) * MILLI));
      }
    }
    List<ClockCorrection.Known> known = ClockCorrection.of(traces).known();
    assertThat(known).hasSize(hosts);
    for (int host = 1; host < hosts; host++) {
      double ahead = (host % 7 - 3) * 100.0 * MILLI + 3 * 100.0 * MILLI;
      assertThat(known.get(host).nanos()).isEqualTo(-ahead, within((double) host * MILLI));
      assertThat(known.get(host).within()).isEqualTo((double) host * MILLI);
    }
  }

  /**
   * Two hosts also meet each other alone, and by that one is more ahead than by all others. Their
   * bounds go down by a microsecond a round, from ten milliseconds.
   */
  @Test
  void twoOfManyHostsThatContradictEachOtherAreSoonFound() {
    List<RankTrace> traces = new ArrayList<>();
    int hosts = 1_000;
    long[] begins = new long[100];
    for (int i = 0; i < begins.length; i++) {
      begins[i] = i * 2 * MILLI;
    }
    for (int host = 0; host < hosts; host++) {
      traces.add(trace("all", host, 0, begins));
    }
    traces.add(trace("pair", hosts - 2, 0, MILLI));
    traces.add(trace("pair", hosts - 1, 2 * MILLI + MILLI / 1000, MILLI));
    ClockCorrection found = ClockCorrection.of(traces);
    assertThat(found.contradictory()).isZero();
    assertThat(found.known().get(1).within()).isEqualTo(1.0 * MILLI);
  }
}
