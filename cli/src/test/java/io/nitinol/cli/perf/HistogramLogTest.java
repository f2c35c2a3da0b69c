// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** HdrHistogram's own reader reads it. */
class HistogramLogTest {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final PerfPlan PLAN =
      Plans.of("all_reduce", 8, 64, List.of(DataType.FLOAT32), List.of(PerfOperator.SUM), 1);

  @Test
  void hasALineForEachMeasurementOfARowWithItsTag() {
    HistogramLog log = new HistogramLog(PLAN, "0", START);
    log.add(row(8, times(1_000, 2_000, 3_000_000), times(7)), START, START.plusSeconds(2));
    log.add(row(64, times(5_000), null), START.plusSeconds(2), START.plusMillis(2500));
    List<Histogram> all = read(log);
    assertThat(all)
        .extracting(Histogram::getTag)
        .containsExactly("all_reduce-8", "all_reduce-8-in-place", "all_reduce-64");
    assertThat(all).extracting(Histogram::getTotalCount).containsExactly(3L, 1L, 1L);
    assertThat(all.getFirst().getValueAtPercentile(50)).isEqualTo(2_000);
    assertThat(all.getFirst().getCountAtValue(3_000_000)).isEqualTo(1);
    assertThat(all.get(1).getMaxValue()).isEqualTo(7);
    assertThat(all.getLast().getStartTimeStamp()).isEqualTo(START.plusSeconds(2).toEpochMilli());
    assertThat(all.getLast().getEndTimeStamp()).isEqualTo(START.plusMillis(2500).toEpochMilli());
  }

  @Test
  void hasALineForEachInterval() {
    HistogramLog log = new HistogramLog(PLAN, "0", START);
    log.add(new IntervalFigures(0, 1, 2, row(64, times(4, 5), null), false));
    log.add(new IntervalFigures(1, 2.25, 1, row(64, times(6), null), false));
    List<Histogram> all = read(log);
    assertThat(all).extracting(Histogram::getTag).containsOnly("all_reduce-64").hasSize(2);
    assertThat(all.getLast().getEndTimeStamp()).isEqualTo(START.plusMillis(2250).toEpochMilli());
  }

  private static List<Histogram> read(HistogramLog log) {
    List<Histogram> all = new ArrayList<>();
    byte[] bytes = log.text().getBytes(StandardCharsets.UTF_8);
    try (HistogramLogReader reader = new HistogramLogReader(new ByteArrayInputStream(bytes))) {
      while (reader.hasNext()) {
        all.add((Histogram) reader.nextIntervalHistogram());
      }
    }
    return all;
  }

  private static Measurement times(long... nanos) {
    TimeHistogram times = new TimeHistogram();
    for (long each : nanos) {
      times.add(each);
    }
    return new Measurement(1e-6, 1e-6, 1e-6, 1e-6, 0).with(times);
  }

  private static PerfRow row(long bytes, Measurement outOfPlace, @Nullable Measurement inPlace) {
    PerfJob job =
        new PerfJob(DataType.FLOAT32, PerfOperator.SUM, PerfJob.NO_ROOT, 2, bytes / Float.BYTES);
    return new PerfRow(bytes, job, 1, outOfPlace, inPlace);
  }
}
