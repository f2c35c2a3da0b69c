// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.flow;

import io.nitinol.toolkit.thread.OneThread;
import java.util.Arrays;

/**
 * How many bytes went over each link in each slice of time. The slices double in length when the
 * time goes on beyond the last one, so that their number is bounded and the end need not be known.
 */
@OneThread
public final class LinkUsage {
  private static final int SLICES = 256;

  private final float[][] bytes;
  private long slice;

  /**
   * Creates a record without bytes.
   *
   * @param links how many links there are
   * @param slice how long a slice is at first, in picoseconds
   */
  public LinkUsage(int links, long slice) {
    this.bytes = new float[links][];
    this.slice = slice;
  }

  /** Adds bytes that went over a link evenly from one time to another one. */
  void add(int link, long from, long to, double amount) {
    while (to > SLICES * slice) {
      merge();
    }
    float[] row = bytes[link];
    if (row == null) {
      row = new float[SLICES];
      bytes[link] = row;
    }
    int first = (int) (from / slice);
    int last = (int) (Math.max(from, to - 1) / slice);
    if (first == last) {
      row[Math.min(first, SLICES - 1)] += (float) amount;
      return;
    }
    double rate = amount / (to - from);
    for (int i = first; i <= last; i++) {
      long begin = Math.max(from, i * slice);
      long end = Math.min(to, (i + 1) * slice);
      row[i] += (float) (rate * (end - begin));
    }
  }

  private void merge() {
    slice *= 2;
    for (float[] row : bytes) {
      if (row != null) {
        for (int i = 0; i < SLICES / 2; i++) {
          row[i] = row[2 * i] + row[2 * i + 1];
        }
        Arrays.fill(row, SLICES / 2, SLICES, 0);
      }
    }
  }

  /** Returns how long a slice is, in picoseconds. */
  public long slice() {
    return slice;
  }

  /** Returns the bytes of a link by slice; empty for a link that was not used. */
  public float[] of(int link) {
    float[] row = bytes[link];
    return row == null ? new float[0] : row.clone();
  }
}
