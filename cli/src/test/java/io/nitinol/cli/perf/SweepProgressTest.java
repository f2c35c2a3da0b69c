// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepProgressTest {
  private final StringWriter text = new StringWriter();
  private long now = Duration.ofDays(1).toNanos();

  private SweepProgress progress(int times, Long... sizes) {
    return new SweepProgress(new PrintWriter(text), List.of(sizes), times, () -> now);
  }

  private void rows(SweepProgress progress, int... seconds) {
    for (int each : seconds) {
      now += Duration.ofSeconds(each).toNanos();
      progress.done();
    }
  }

  @Test
  void largerRowsAreExpectedToTakeLonger() {
    rows(progress(1, 1L << 20, 2L << 20, 3L << 20, 4L << 20, 5L << 20), 10, 20, 30, 40, 50);
    assertThat(text.toString().lines())
        .containsExactly(
            "nitinol perf: 0:10  1/5 rows, the last one of 1 MiB; about 0:40 left",
            "nitinol perf: 0:30  2/5 rows, the last one of 2 MiB; about 2:00 left",
            "nitinol perf: 1:00  3/5 rows, the last one of 3 MiB; about 1:30 left",
            "nitinol perf: 1:40  4/5 rows, the last one of 4 MiB; about 0:50 left");
  }

  @Test
  void sizesThatWereMeasuredTakeAsLongAgain() {
    rows(progress(3, 8L, 1L << 30), 2, 30, 2);
    assertThat(text.toString().lines())
        .containsExactly("nitinol perf: 0:32  2/6 rows, the last one of 1 GiB; about 1:04 left");
  }

  @Test
  void rowsThatGetFasterAreExpectedToStayAsTheyAre() {
    rows(progress(1, 8L, 16L, 32L, 64L), 12, 11);
    assertThat(text.toString().lines().toList().getLast())
        .isEqualTo("nitinol perf: 0:23  2/4 rows, the last one of 16 B; about 0:22 left");
  }

  @Test
  void aShortRunSaysNothing() {
    rows(progress(1, 8L, 16L, 32L), 1, 1, 60);
    assertThat(text.toString()).isEmpty();
  }

  @Test
  void aPlanMeasuresAllSizesForEachTypeOperatorRootAndCycle() {
    PerfPlan plan =
        Plans.of(
            "broadcast",
            8,
            64,
            List.of(DataType.INT8, DataType.FLOAT32),
            List.of(PerfOperator.NONE),
            1);
    assertThat(SweepProgress.times(plan, 3)).isEqualTo(2 * 3);
  }
}
