// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The duration of one operation, and whether its result was right.
 *
 * @param seconds time of one operation, averaged over the iterations, of the ranks as asked for
 * @param startSeconds the time until it was started, likewise
 * @param fastest the average of the fastest rank
 * @param slowest the average of the slowest rank
 * @param wrong wrong elements on all ranks together; {@link #UNCHECKED} if the result was not
 *     checked
 * @param steady whether operations had stopped getting faster before it, as far as that is known
 * @param percentiles of single iterations, each the time of the ranks as asked for; null where
 *     nobody asked
 * @param times those that the percentiles are of; null where there are none, or no more
 */
record Measurement(
    double seconds,
    double startSeconds,
    double fastest,
    double slowest,
    long wrong,
    boolean steady,
    @Nullable Percentiles percentiles,
    @Nullable TimeHistogram times) {
  static final long UNCHECKED = -1;

  private static final int HEAD_BYTES = 2 * Double.BYTES + Long.BYTES;

  /** A measurement of operations that were told how often to be warmed up. */
  Measurement(double seconds, double startSeconds, double fastest, double slowest, long wrong) {
    this(seconds, startSeconds, fastest, slowest, wrong, true, null);
  }

  /** A measurement whose times are not kept. */
  Measurement(
      double seconds,
      double startSeconds,
      double fastest,
      double slowest,
      long wrong,
      boolean steady,
      @Nullable Percentiles percentiles) {
    this(seconds, startSeconds, fastest, slowest, wrong, steady, percentiles, null);
  }

  /** Returns what a rank found, for {@link #combine}. */
  static byte[] encode(Stopwatch.Time time, long wrong) {
    ByteBuffer out =
        ByteBuffer.allocate(HEAD_BYTES + time.each().size() * Float.BYTES)
            .putDouble(time.seconds())
            .putDouble(time.startSeconds())
            .putLong(wrong);
    time.each().forEach(seconds -> out.putFloat(seconds.floatValue()));
    return out.array();
  }

  /**
   * Returns what all ranks found together.
   *
   * @param encoded what {@link #encode} returned, by rank
   * @param checked whether they looked at the results
   * @param steady whether operations had stopped getting faster
   */
  static Measurement combine(
      byte[][] encoded, PerfPlan.Average average, boolean checked, boolean steady) {
    ByteBuffer[] in = new ByteBuffer[encoded.length];
    double[] seconds = new double[encoded.length];
    double[] startSeconds = new double[encoded.length];
    long wrong = 0;
    for (int rank = 0; rank < encoded.length; rank++) {
      in[rank] = ByteBuffer.wrap(encoded[rank]);
      seconds[rank] = in[rank].getDouble();
      startSeconds[rank] = in[rank].getDouble();
      wrong += in[rank].getLong();
    }
    double[] times = times(in, average);
    return new Measurement(
        of(seconds, average),
        of(startSeconds, average),
        of(seconds, PerfPlan.Average.MIN),
        of(seconds, PerfPlan.Average.MAX),
        checked ? wrong : UNCHECKED,
        steady,
        times.length == 0 ? null : Percentiles.of(times),
        times.length == 0 ? null : histogram(times));
  }

  private static TimeHistogram histogram(double[] times) {
    TimeHistogram histogram = new TimeHistogram();
    for (double seconds : times) {
      histogram.add(Math.round(seconds * 1e9));
    }
    return histogram;
  }

  private static double[] times(ByteBuffer[] in, PerfPlan.Average average) {
    double[] times = new double[in[0].remaining() / Float.BYTES];
    double[] ofRanks = new double[in.length];
    for (int i = 0; i < times.length; i++) {
      for (int rank = 0; rank < in.length; rank++) {
        ofRanks[rank] = in[rank].getFloat();
      }
      times[i] = of(ofRanks, average);
    }
    return times;
  }

  private static double of(double[] seconds, PerfPlan.Average average) {
    double sum = 0;
    double min = Double.MAX_VALUE;
    double max = 0;
    for (double one : seconds) {
      sum += one;
      min = Math.min(min, one);
      max = Math.max(max, one);
    }
    return switch (average) {
      case RANK0 -> seconds[0];
      case MEAN -> sum / seconds.length;
      case MIN -> min;
      case MAX -> max;
    };
  }

  /** Returns the same with the times of single operations. */
  Measurement with(TimeHistogram single) {
    return new Measurement(
        seconds, startSeconds, fastest, slowest, wrong, steady, single.percentiles(), single);
  }

  /** Returns the same without all those times, which take much memory. */
  Measurement withoutTimes() {
    return new Measurement(
        seconds, startSeconds, fastest, slowest, wrong, steady, percentiles, null);
  }

  /** Returns the same after a check, and with what the warm-up has found. */
  Measurement with(long wrongElements, boolean wasSteady) {
    return new Measurement(
        seconds, startSeconds, fastest, slowest, wrongElements, wasSteady, percentiles, times);
  }

  /** Returns the bytes of the operation over its time, in 1e9 bytes per second. */
  double algorithmBandwidth(long bytes) {
    return seconds > 0 ? bytes / seconds / 1e9 : 0;
  }
}
