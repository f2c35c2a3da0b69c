// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;

/**
 * Minimum and maximum of every type of up to 32 bits, by integer comparison of keys: C2 vectorises
 * {@code Math.max} of ints, but neither that of narrower types nor a floating-point maximum that
 * ignores NaN.
 *
 * <p>An element is taken out of its word into the upper bits of an int; what lies below it there
 * cannot change the order of different elements and is cut off afterwards. Its key sorts as the
 * element does, and for a minimum all key bits are inverted.
 */
final class MinMaxKernel extends BlockFunction<int[]> {

  private final int elementSize;

  /** The upper bits that hold the element. */
  private final int elementMask;

  private final boolean isFloat;

  /** What turns an element (an ordered one, if it is a float) into its key and back. */
  private final int flip;

  /** Largest magnitude that is not a NaN, with all bits below the element set. */
  private final int maxNumber;

  MinMaxKernel(DataType type, ReductionOp op) {
    super(type.size(), Block.OF_INTS, false, false, null);
    int width = Byte.SIZE * type.size();
    this.elementSize = type.size();
    this.elementMask = -1 << (Integer.SIZE - width);
    this.isFloat = type.isFloat();
    boolean unsigned = type == DataType.UINT8 || type == DataType.UINT32 || type == DataType.UINT64;
    this.flip = (unsigned ? Integer.MIN_VALUE : 0) ^ (op == ReductionOp.MIN ? -1 : 0);
    this.maxNumber =
        switch (type) {
          case FLOAT32 -> 0x7f800000;
          case FLOAT16 -> 0x7c00ffff;
          case BFLOAT16 -> 0x7f80ffff;
          case FLOAT8E4M3 -> 0x7effffff;
          case FLOAT8E5M2 -> 0x7cffffff;
          default -> Integer.MAX_VALUE;
        };
  }

  @Override
  void apply(int[] left, int[] right, int count) {
    int words = (count * elementSize + Integer.BYTES - 1) / Integer.BYTES;
    int width = Byte.SIZE * elementSize;
    for (int up = 0; up < Integer.SIZE; up += width) {
      if (isFloat) {
        combineFloats(left, right, words, up, elementMask, flip, maxNumber);
      } else {
        combineIntegers(left, right, words, up, elementMask, flip);
      }
    }
  }

  private static void combineIntegers(
      int[] left, int[] right, int words, int up, int mask, int flip) {
    for (int i = 0; i < words; i++) {
      int key = Math.max((left[i] << up) ^ flip, (right[i] << up) ^ flip);
      left[i] = (left[i] & ~(mask >>> up)) | (((key ^ flip) & mask) >>> up);
    }
  }

  private static void combineFloats(
      int[] left, int[] right, int words, int up, int mask, int flip, int maxNumber) {
    for (int i = 0; i < words; i++) {
      int a = floatKey(left[i] << up, flip, maxNumber);
      int b = floatKey(right[i] << up, flip, maxNumber);
      int element = reorder(Math.max(a, b) ^ flip);
      left[i] = (left[i] & ~(mask >>> up)) | ((element & mask) >>> up);
    }
  }

  /** The least key of all for NaN, so that any number beats it; that key stands for a NaN again. */
  private static int floatKey(int element, int flip, int maxNumber) {
    int isNaN = (maxNumber - (element & Integer.MAX_VALUE)) >> 31;
    return ((reorder(element) ^ flip) & ~isNaN) | (isNaN & Integer.MIN_VALUE);
  }

  /** Between sign and magnitude, and an int that sorts alike, with -0 below +0; its own inverse. */
  private static int reorder(int bits) {
    return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
  }
}
