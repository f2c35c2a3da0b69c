// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The content of messages: each byte follows from a seed and its place, so that a byte that is
 * lost, moved or from another message shows.
 */
final class Pattern {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Pattern() {}

  static void fill(MemorySegment memory, long offset, long length, long seed) {
    long words = length & -8;
    for (long i = 0; i < words; i += 8) {
      memory.set(LONG, offset + i, word(seed, i));
    }
    for (long i = words; i < length; i++) {
      memory.set(ValueLayout.JAVA_BYTE, offset + i, byteAt(seed, i));
    }
  }

  static long firstDifference(MemorySegment memory, long offset, long length, long seed) {
    long words = length & -8;
    for (long i = 0; i < words; i += 8) {
      if (memory.get(LONG, offset + i) != word(seed, i)) {
        return firstByte(memory, offset, i, i + 8, seed);
      }
    }
    return firstByte(memory, offset, words, length, seed);
  }

  private static long firstByte(MemorySegment memory, long offset, long from, long to, long seed) {
    for (long i = from; i < to; i++) {
      if (memory.get(ValueLayout.JAVA_BYTE, offset + i) != byteAt(seed, i)) {
        return i;
      }
    }
    return -1;
  }

  private static byte byteAt(long seed, long index) {
    return (byte) (word(seed, index & -8) >>> (8 * (index & 7)));
  }

  private static long word(long seed, long index) {
    long z = seed * 0x9E3779B97F4A7C15L + index * 0xD1B54A32D192ED03L;
    z = (z ^ (z >>> 29)) * 0xBF58476D1CE4E5B9L;
    return z ^ (z >>> 32);
  }
}
