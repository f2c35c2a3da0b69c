// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How many operations took how long, of any number of them in some hundred kilobytes: an
 * HdrHistogram of nanoseconds. A percentile is at most a thousandth too long; the least and the
 * most are exact. To add a time allocates nothing, unless it is longer than all before.
 */
final class TimeHistogram {
  private static final int SIGNIFICANT_DIGITS = 3;

  private final Histogram counts = new Histogram(SIGNIFICANT_DIGITS);
  private long least = Long.MAX_VALUE;
  private long most;

  /** Adds one time; a negative one, of a clock that went back, counts as 0. */
  void add(long nanos) {
    long time = Math.max(0, nanos);
    counts.recordValue(time);
    least = Math.min(least, time);
    most = Math.max(most, time);
  }

  /** Adds what {@link #encode} returned. */
  void add(byte[] encoded) {
    ByteBuffer in = ByteBuffer.wrap(encoded);
    least = Math.min(least, in.getLong());
    most = Math.max(most, in.getLong());
    try {
      counts.add(Histogram.decodeFromCompressedByteBuffer(in, 0));
    } catch (DataFormatException e) {
      throw new IllegalStateException("the times of another rank cannot be read", e);
    }
  }

  /** Forgets all times. */
  void clear() {
    counts.reset();
    least = Long.MAX_VALUE;
    most = 0;
  }

  /** Returns the times for another rank to {@link #add(byte[])}. */
  byte[] encode() {
    ByteBuffer out =
        ByteBuffer.allocate(2 * Long.BYTES + counts.getNeededByteBufferCapacity())
            .putLong(least)
            .putLong(most);
    counts.encodeIntoCompressedByteBuffer(out);
    byte[] encoded = new byte[out.position()];
    out.flip().get(encoded);
    return encoded;
  }

  /** Returns how the times are spread, or null where there is none. */
  @Nullable Percentiles percentiles() {
    long count = counts.getTotalCount();
    if (count == 0) {
      return null;
    }
    return new Percentiles(
        least / 1e9,
        at(50),
        at(90),
        at(99),
        at(99.9),
        most / 1e9,
        (int) Math.min(count, Integer.MAX_VALUE));
  }

  /** Returns a copy of the histogram, of nanoseconds. */
  Histogram histogram() {
    return counts.copy();
  }

  private double at(double percentile) {
    return Math.clamp(counts.getValueAtPercentile(percentile), least, most) / 1e9;
  }
}
