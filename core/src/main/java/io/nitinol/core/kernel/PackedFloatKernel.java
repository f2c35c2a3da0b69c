// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;

/**
 * Sum, product, and sum of contributions times a factor, of bfloat16 and the 8-bit floats: two or
 * four to a word, they are widened to binary32, one position in the word after the other, combined,
 * and narrowed again.
 *
 * <p>Widening moves the exponent field without adding the difference of the biases, so the binary32
 * number is the element times a power of two, {@code 1 / unit}, and what is subnormal stays
 * subnormal. Addition does not mind, and multiplication puts one factor right. Sums and products of
 * 8-bit floats are multiples of 2<sup>-149</sup> in this scale, so they lose nothing that the true
 * scale would keep.
 *
 * <p>Bits go between int and float arrays by a block copy; C2 does not vectorise a loop that both
 * computes and reinterprets.
 */
final class PackedFloatKernel extends BlockFunction<int[]> {

  private static final ThreadLocal<Widened> WIDENED = ThreadLocal.withInitial(Widened::new);

  private static final int INFINITY = 0x7f800000;

  private final ReductionOp op;
  private final Format format;
  private final float factor;
  private final ByteMap scaled;

  PackedFloatKernel(DataType type, ReductionOp op, float factor) {
    super(type.size(), Block.OF_INTS, factor != 1, false, new NaNs(type));
    this.op = op;
    this.format =
        switch (type) {
          case BFLOAT16 -> Format.BFLOAT16;
          case FLOAT8E4M3 -> Format.FLOAT8E4M3;
          case FLOAT8E5M2 -> Format.FLOAT8E5M2;
          default -> throw new IllegalArgumentException("not a packed float: " + type);
        };
    this.factor = factor;
    this.scaled = new ByteMap(bits -> format.small.encode(format.small.decode(bits) * factor));
  }

  @Override
  void apply(int[] left, int[] right, int count) {
    Widened wide = WIDENED.get();
    int words = words(count);
    for (int up = 0; up < Integer.SIZE; up += format.width) {
      widen(left, wide.bits, words, up, format);
      wide.putLeft(words);
      widen(right, wide.bits, words, up, format);
      wide.putRight(words);
      if (op == ReductionOp.PROD) {
        multiply(wide.left, wide.right, words, format.unit);
      } else {
        FloatKernel.add(wide.left, wide.right, words);
      }
      wide.takeLeft(words);
      narrow(wide.bits, left, words, up, format);
    }
  }

  @Override
  void scale(int[] values, int count) {
    int words = words(count);
    if (format.width == Byte.SIZE) {
      scaled.applyPacked(values, words);
      return;
    }
    Widened wide = WIDENED.get();
    for (int up = 0; up < Integer.SIZE; up += format.width) {
      widen(values, wide.bits, words, up, format);
      wide.putLeft(words);
      FloatKernel.scale(wide.left, words, factor);
      wide.takeLeft(words);
      narrow(wide.bits, values, words, up, format);
    }
  }

  private int words(int count) {
    return (count * format.width + Integer.SIZE - 1) / Integer.SIZE;
  }

  private static void multiply(float[] left, float[] right, int count, float unit) {
    for (int i = 0; i < count; i++) {
      left[i] = left[i] * unit * right[i];
    }
  }

  /** Makes binary32 bits of the elements that a shift by {@code up} brings to the words' top. */
  private static void widen(int[] words, int[] binary32, int count, int up, Format format) {
    int magnitudeMask = format.elementMask & Integer.MAX_VALUE;
    int shift = format.width == Byte.SIZE ? Integer.SIZE - format.width - format.dropped : 0;
    int maxFinite = format.maxFinite << (Integer.SIZE - format.width);
    int notFinite = format.notFinite;
    for (int i = 0; i < count; i++) {
      int element = words[i] << up;
      int magnitude = element & magnitudeMask;
      int special = ((maxFinite - magnitude) >> 31) & notFinite;
      binary32[i] = (element & Integer.MIN_VALUE) | (magnitude >>> shift) | special;
    }
  }

  /**
   * Rounds binary32 bits to elements and puts them where {@code widen} took theirs from. The loop
   * has to stay small: inlined and unrolled to the width of a vector it must keep within C2's
   * limit, or it runs at a seventh of the speed.
   */
  private static void narrow(int[] binary32, int[] words, int count, int up, Format format) {
    int dropped = format.dropped;
    int belowHalf = (1 << (dropped - 1)) - 1;
    int greatest = format.greatest;
    int beforeSpecial = format.beforeSpecial;
    int position = Integer.SIZE - format.width;
    int others = ~(format.elementMask >>> up);
    for (int i = 0; i < count; i++) {
      int bits = binary32[i];
      int magnitude = bits & Integer.MAX_VALUE;
      int rounded = (magnitude + belowHalf + ((magnitude >>> dropped) & 1)) >>> dropped;
      int code = Math.min(rounded, greatest) + Math.max(rounded - beforeSpecial, 0);
      int element = (bits & Integer.MIN_VALUE) | (code << position);
      words[i] = (words[i] & others) | (element >>> up);
    }
  }

  /** What the loops need to know of a format, as numbers rather than as branches. */
  private enum Format {
    BFLOAT16(SmallFloat.BFLOAT16, 16, 16, 1f, 0x7fff, 0, 0x7fff, 0x7fff),
    FLOAT8E4M3(SmallFloat.FLOAT8E4M3, 8, 20, 0x1p120f, 0x7e, 0x7fc00000, 0x7e, 0x7fe),
    FLOAT8E5M2(SmallFloat.FLOAT8E5M2, 8, 21, 0x1p112f, 0x7b, INFINITY, 0x7b, 0x3fb);

    final SmallFloat small;

    /** Bits of an element, and where they are at the top of a word. */
    final int width;

    final int elementMask;

    /** Lower mantissa bits of a binary32 that the format does not have. */
    final int dropped;

    final float unit;

    /** Largest magnitude that needs no {@link #notFinite} bits to mean the same in binary32. */
    final int maxFinite;

    final int notFinite;

    /** The magnitude that a finite number too large becomes. */
    final int greatest;

    /**
     * The rounded magnitude below those of infinity and NaN. How far these are above it is how far
     * their encodings are above {@link #greatest}. Bfloat16 has both where binary32 has them.
     */
    final int beforeSpecial;

    Format(
        SmallFloat small,
        int width,
        int dropped,
        float unit,
        int maxFinite,
        int notFinite,
        int greatest,
        int beforeSpecial) {
      this.small = small;
      this.width = width;
      this.elementMask = -1 << (Integer.SIZE - width);
      this.dropped = dropped;
      this.unit = unit;
      this.maxFinite = maxFinite;
      this.notFinite = notFinite;
      this.greatest = greatest;
      this.beforeSpecial = beforeSpecial;
    }
  }

  /** One thread's operands in binary32. */
  private static final class Widened {

    final int[] bits = new int[Block.BYTES / Integer.BYTES];
    final float[] left = new float[Block.BYTES / Float.BYTES];
    final float[] right = new float[Block.BYTES / Float.BYTES];
    private final MemorySegment bitBytes = MemorySegment.ofArray(bits);
    private final MemorySegment leftBytes = MemorySegment.ofArray(left);
    private final MemorySegment rightBytes = MemorySegment.ofArray(right);

    void putLeft(int count) {
      MemorySegment.copy(bitBytes, 0, leftBytes, 0, (long) count * Float.BYTES);
    }

    void putRight(int count) {
      MemorySegment.copy(bitBytes, 0, rightBytes, 0, (long) count * Float.BYTES);
    }

    void takeLeft(int count) {
      MemorySegment.copy(leftBytes, 0, bitBytes, 0, (long) count * Float.BYTES);
    }
  }
}
