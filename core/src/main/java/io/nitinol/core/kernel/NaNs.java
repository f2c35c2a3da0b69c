// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Makes every NaN in a block of results the same one, with the sign clear and all magnitude bits
 * set. Which NaN an operation gives depends on the order of its operands, and compilers change that
 * as they like; ranks that compute the same have to get the same bits.
 *
 * <p>There hardly ever is one, so the block is only looked at: by integer arithmetic, whose sign
 * bit remembers, in loops that C2 vectorises.
 */
final class NaNs {

  private static final ThreadLocal<Words> WORDS = ThreadLocal.withInitial(Words::new);

  private final int elementSize;

  /** The magnitude of infinity, or else of the greatest number, at the top of a long or int. */
  private final long maxNumber;

  NaNs(DataType type) {
    this.elementSize = type.size();
    this.maxNumber =
        switch (type) {
          case FLOAT64 -> 0x7ff0000000000000L;
          case FLOAT32 -> 0x7f800000;
          case FLOAT16 -> 0x7c00ffff;
          case BFLOAT16 -> 0x7f80ffff;
          case FLOAT8E4M3 -> 0x7effffff;
          case FLOAT8E5M2 -> 0x7cffffff;
          default -> throw new IllegalArgumentException("has no NaN: " + type);
        };
  }

  /** Works on the first {@code bytes} of {@code block}. */
  void replace(MemorySegment block, int bytes) {
    Words words = WORDS.get();
    boolean any;
    if (elementSize == Long.BYTES) {
      MemorySegment.copy(block, 0, words.longBytes, 0, bytes);
      any = anyLong(words.longs, bytes / Long.BYTES, maxNumber);
    } else {
      MemorySegment.copy(block, 0, words.intBytes, 0, bytes);
      // What is behind the last element is of an earlier block: at worst the search is in vain.
      int count = (bytes + Integer.BYTES - 1) / Integer.BYTES;
      any = false;
      for (int up = 0; up < Integer.SIZE; up += Byte.SIZE * elementSize) {
        any |= any(words.ints, count, up, (int) maxNumber);
      }
    }
    if (any) {
      for (int at = 0; at < bytes; at += elementSize) {
        replaceOne(block, at);
      }
    }
  }

  private static boolean anyLong(long[] longs, int count, long maxNumber) {
    long differences = 0;
    for (int i = 0; i < count; i++) {
      differences |= maxNumber - (longs[i] & Long.MAX_VALUE);
    }
    return differences < 0;
  }

  private static boolean any(int[] words, int count, int up, int maxNumber) {
    int differences = 0;
    for (int i = 0; i < count; i++) {
      differences |= maxNumber - ((words[i] << up) & Integer.MAX_VALUE);
    }
    return differences < 0;
  }

  private void replaceOne(MemorySegment block, int at) {
    switch (elementSize) {
      case 1 -> {
        if (isNaN(block.get(ValueLayout.JAVA_BYTE, at) << 24)) {
          block.set(ValueLayout.JAVA_BYTE, at, Byte.MAX_VALUE);
        }
      }
      case 2 -> {
        if (isNaN(block.get(ValueLayout.JAVA_SHORT_UNALIGNED, at) << 16)) {
          block.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, Short.MAX_VALUE);
        }
      }
      case 4 -> {
        if (isNaN(block.get(ValueLayout.JAVA_INT_UNALIGNED, at))) {
          block.set(ValueLayout.JAVA_INT_UNALIGNED, at, Integer.MAX_VALUE);
        }
      }
      default -> {
        if ((block.get(ValueLayout.JAVA_LONG_UNALIGNED, at) & Long.MAX_VALUE) > maxNumber) {
          block.set(ValueLayout.JAVA_LONG_UNALIGNED, at, Long.MAX_VALUE);
        }
      }
    }
  }

  private boolean isNaN(int top) {
    return (top & Integer.MAX_VALUE) > (int) maxNumber;
  }

  /** One thread's copy of a block. */
  private static final class Words {
    final int[] ints = new int[Block.BYTES / Integer.BYTES];
    final long[] longs = new long[Block.BYTES / Long.BYTES];
    final MemorySegment intBytes = MemorySegment.ofArray(ints);
    final MemorySegment longBytes = MemorySegment.ofArray(longs);
  }
}
