// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How many operations took how long, of any number of them in fixed memory. A bucket is at most a
 * 64th of its time wide, so a percentile is at most that much too long; the least and the most are
 * exact. To add a time allocates nothing.
 */
final class TimeHistogram {
  /** As many buckets for each power of two; shorter times have a bucket each nanosecond. */
  private static final int BUCKET_BITS = 6;

  private static final int BUCKETS = (Long.SIZE - BUCKET_BITS) << BUCKET_BITS;

  private final long[] counts = new long[BUCKETS];
  private long count;
  private long least = Long.MAX_VALUE;
  private long most;

  /** Adds one time; a negative one, of a clock that went back, counts as 0. */
  void add(long nanos) {
    long time = Math.max(0, nanos);
    counts[bucket(time)]++;
    count++;
    least = Math.min(least, time);
    most = Math.max(most, time);
  }

  /** Adds what {@link #encode} returned. */
  void add(byte[] encoded) {
    ByteBuffer in = ByteBuffer.wrap(encoded);
    least = Math.min(least, in.getLong());
    most = Math.max(most, in.getLong());
    while (in.hasRemaining()) {
      int bucket = in.getInt();
      long times = in.getLong();
      counts[bucket] += times;
      count += times;
    }
  }

  /** Forgets all times. */
  void clear() {
    Arrays.fill(counts, 0);
    count = 0;
    least = Long.MAX_VALUE;
    most = 0;
  }

  /** Returns the times for another rank to {@link #add(byte[])}. */
  byte[] encode() {
    int used = (int) Arrays.stream(counts).filter(times -> times > 0).count();
    ByteBuffer out =
        ByteBuffer.allocate(2 * Long.BYTES + used * (Integer.BYTES + Long.BYTES))
            .putLong(least)
            .putLong(most);
    for (int bucket = 0; bucket < counts.length; bucket++) {
      if (counts[bucket] > 0) {
        out.putInt(bucket).putLong(counts[bucket]);
      }
    }
    return out.array();
  }

  /** Returns how the times are spread, or null where there is none. */
  @Nullable Percentiles percentiles() {
    if (count == 0) {
      return null;
    }
    return new Percentiles(
        least / 1e9,
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
        most / 1e9,
        (int) Math.min(count, Integer.MAX_VALUE));
  }

  private double at(double fraction) {
    long rank = Math.max(1, (long) Math.ceil(fraction * (double) count - 1e-9));
    long before = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      before += counts[bucket];
      if (before >= rank) {
        return Math.clamp(longest(bucket), least, most) / 1e9;
      }
    }
    return most / 1e9;
  }

  private static int bucket(long nanos) {
    int shift = Math.max(0, Long.SIZE - 1 - BUCKET_BITS - Long.numberOfLeadingZeros(nanos));
    return (shift << BUCKET_BITS) + (int) (nanos >>> shift);
  }

  private static long longest(int bucket) {
    int shift = Math.max(0, (bucket >> BUCKET_BITS) - 1);
    return (((long) bucket - ((long) shift << BUCKET_BITS) + 1) << shift) - 1;
  }
}
