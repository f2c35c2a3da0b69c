// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.nio.ByteBuffer;

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
 */
record Measurement(
    double seconds,
    double startSeconds,
    double fastest,
    double slowest,
    long wrong,
    boolean steady) {
  static final long UNCHECKED = -1;

  /** A measurement of operations that were told how often to be warmed up. */
  Measurement(double seconds, double startSeconds, double fastest, double slowest, long wrong) {
    this(seconds, startSeconds, fastest, slowest, wrong, true);
  }

  /** Returns what a rank found, for {@link #combine}. */
  static byte[] encode(Stopwatch.Time time, long wrong) {
    return ByteBuffer.allocate(2 * Double.BYTES + Long.BYTES)
        .putDouble(time.seconds())
        .putDouble(time.startSeconds())
        .putLong(wrong)
        .array();
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
    double[] seconds = new double[encoded.length];
    double[] startSeconds = new double[encoded.length];
    long wrong = 0;
    for (int rank = 0; rank < encoded.length; rank++) {
      ByteBuffer in = ByteBuffer.wrap(encoded[rank]);
      seconds[rank] = in.getDouble();
      startSeconds[rank] = in.getDouble();
      wrong += in.getLong();
    }
    return new Measurement(
        of(seconds, average),
        of(startSeconds, average),
        of(seconds, PerfPlan.Average.MIN),
        of(seconds, PerfPlan.Average.MAX),
        checked ? wrong : UNCHECKED,
        steady);
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

  /** Returns the bytes of the operation over its time, in 1e9 bytes per second. */
  double algorithmBandwidth(long bytes) {
    return seconds > 0 ? bytes / seconds / 1e9 : 0;
  }
}
