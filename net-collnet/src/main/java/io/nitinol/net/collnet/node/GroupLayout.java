// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.net.collnet.wire.Segments;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where everything lies in the memory of one group: the slots of the children, one child after the
 * other, and behind them the results.
 *
 * @param children how many children there are
 * @param segmentBytes the size of segments
 * @param window how many slots each child has
 * @param ring how many results there may be at once
 * @param answers whether a parent answers
 * @param spares whether some parts do not lie side by side
 */
record GroupLayout(
    int children, int segmentBytes, int window, int ring, boolean answers, boolean spares) {

  /** How many slots and results there are where memory suffices. */
  static final int USUAL = 8;

  /** With fewer, nothing would overlap. */
  private static final int LEAST = 2;

  /** Keeps the slots of different children out of each other's way in the cache. */
  private static final int STAGGER = 128;

  /**
   * Fits a group into memory: with smaller segments rather than with fewer than 2 of them.
   *
   * @param limit how many bytes there may be
   * @param least the smallest size of segments that will do
   * @return what fits, or null: nothing does
   */
  static @Nullable GroupLayout fit(
      int children, int segmentBytes, int least, boolean answers, boolean spares, long limit) {
    for (int size = segmentBytes; size >= Math.max(least, Segments.LEAST_BYTES); size >>= 1) {
      for (int window = USUAL; window >= LEAST; window >>= 1) {
        GroupLayout layout = new GroupLayout(children, size, window, window, answers, spares);
        if (layout.bytes() <= limit) {
          return layout;
        }
      }
    }
    return null;
  }

  /** Returns the size of a slot: of a segment, or of a descriptor with what it carries. */
  long slot() {
    return (long) segmentBytes + Descriptor.BYTES + STAGGER;
  }

  private long slots() {
    return window * slot();
  }

  private long result() {
    long buffers = 1L + (answers ? 1 : 0) + (spares ? 1 : 0);
    return buffers * segmentBytes + Descriptor.BYTES + STAGGER;
  }

  /** Returns how many bytes the group needs. */
  long bytes() {
    return children * slots() + ring * result();
  }

  /** Returns the slots of one child. */
  MemorySegment slots(MemorySegment memory, int child) {
    return memory.asSlice(child * slots(), slots());
  }

  /** Makes the results. */
  SegmentResult[] results() {
    SegmentResult[] results = new SegmentResult[ring];
    for (int i = 0; i < ring; i++) {
      long head = children * slots() + i * result();
      long sum = head + Descriptor.BYTES;
      long answer = sum + segmentBytes;
      long spare = answers ? answer + segmentBytes : answer;
      results[i] =
          new SegmentResult(head, sum, answers ? answer : -1, spares ? spare : -1, children);
    }
    return results;
  }
}
