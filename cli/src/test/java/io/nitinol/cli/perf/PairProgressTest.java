// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PairProgressTest {
  private final StringWriter text = new StringWriter();
  private long now = Duration.ofDays(1).toNanos();

  @Test
  void tellsNowAndThenHowFarItIsAndHowLongItTakes() {
    PairProgress progress = new PairProgress(new PrintWriter(text), 12, () -> now);
    for (int done = 1; done <= 12; done++) {
      now += Duration.ofSeconds(6).toNanos();
      progress.done(pair(done));
    }
    assertThat(text.toString().lines())
        .containsExactly(
            "nitinol perf: 0:12  2/12 pairs, the last one 0 -> 2; about 1:00 left",
            "nitinol perf: 0:24  4/12 pairs, the last one 0 -> 4; about 0:48 left",
            "nitinol perf: 0:36  6/12 pairs, the last one 0 -> 6; about 0:36 left",
            "nitinol perf: 0:48  8/12 pairs, the last one 0 -> 8; about 0:24 left",
            "nitinol perf: 1:00  10/12 pairs, the last one 0 -> 10; about 0:12 left");
  }

  @Test
  void saysNothingOfAShortRun() {
    PairProgress progress = new PairProgress(new PrintWriter(text), 2, () -> now);
    progress.done(pair(1));
    now += Duration.ofSeconds(60).toNanos();
    progress.done(pair(2));
    assertThat(text.toString()).isEmpty();
  }

  private static PairFigures pair(int to) {
    PerfJob job = new PerfJob(DataType.INT8, PerfOperator.NONE, PerfJob.NO_ROOT, 13, 1);
    return new PairFigures(
        0, to, 1e-6, new PerfRow(1, job, 1, new Measurement(1e-6, 1e-6, 1e-6, 1e-6, 0), null));
  }
}
