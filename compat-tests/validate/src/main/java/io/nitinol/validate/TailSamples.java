// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Bytes of a piece as they were before the receive, to see afterwards whether those behind the
 * message are the same. A short piece is kept whole; of a longer one, 64 bytes spread evenly and
 * the last 32. Used by one operation at a time.
 */
final class TailSamples {
  private static final int WHOLE = 512;
  private static final int SPREAD = 64;
  private static final int LAST = 32;

  private final byte[] bytes = new byte[WHOLE];
  private int count;
  private long length;

  /** Takes the samples of {@code pieceLength} bytes. */
  void take(MemorySegment memory, long offset, long pieceLength) {
    length = pieceLength;
    count = pieceLength <= WHOLE ? (int) pieceLength : SPREAD + LAST;
    if (pieceLength <= WHOLE) {
      MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, bytes, 0, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      bytes[i] = memory.get(ValueLayout.JAVA_BYTE, offset + position(i));
    }
  }

  /** Forgets the samples. */
  void clear() {
    count = 0;
  }

  /** Returns a position from {@code size} on whose byte has changed, or -1. */
  long firstChange(MemorySegment memory, long offset, long size) {
    for (int i = 0; i < count; i++) {
      long at = position(i);
      if (at >= size && memory.get(ValueLayout.JAVA_BYTE, offset + at) != bytes[i]) {
        return at;
      }
    }
    return -1;
  }

  private long position(int i) {
    if (length <= WHOLE) {
      return i;
    }
    return i < SPREAD ? i * (length / SPREAD) : length - (SPREAD + LAST - i);
  }
}
