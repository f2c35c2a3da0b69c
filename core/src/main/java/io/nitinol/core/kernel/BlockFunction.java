// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Walks the operands block by block: copies a block of each into arrays, lets the subclass compute
 * there, and copies the result out. The subclass is asked once per block, so its virtual calls cost
 * nothing that can be measured, and its loops see arrays of one type only.
 *
 * @param <A> the array type the subclass computes on
 */
abstract class BlockFunction<A> implements ReduceFunction {

  private final int elementSize;
  private final ThreadLocal<Block<A>> blocks;
  private final boolean scales;
  private final boolean divides;
  private final @Nullable NaNs nans;

  /**
   * Sets up a kernel.
   *
   * @param elementSize size of one element in bytes
   * @param blocks where the calling thread's arrays are
   * @param scales whether {@link #scale} is more than the identity
   * @param divides whether {@link #divide} is more than the identity; not both may be
   * @param nans what to do with NaNs in results, or null where there are none that matter
   */
  BlockFunction(
      int elementSize,
      ThreadLocal<Block<A>> blocks,
      boolean scales,
      boolean divides,
      @Nullable NaNs nans) {
    this.elementSize = elementSize;
    this.blocks = blocks;
    this.scales = scales;
    this.divides = divides;
    this.nans = nans;
  }

  /** Sets the first {@code count} elements of {@code left} to {@code left op right}. */
  abstract void apply(A left, A right, int count);

  /** Multiplies the first {@code count} contributions by the kernel's factor. */
  void scale(A values, int count) {
    throw new AssertionError("this kernel does not scale");
  }

  /** Divides the first {@code count} sums by n. */
  void divide(A values, int count) {
    throw new AssertionError("this kernel does not divide");
  }

  @Override
  public final void copy(
      MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, long count) {
    copy(src, srcOffset, dst, dstOffset, count, false);
  }

  @Override
  public final void copyFinal(
      MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, long count) {
    copy(src, srcOffset, dst, dstOffset, count, divides);
  }

  @Override
  public final void reduce(
      MemorySegment a,
      long aOffset,
      MemorySegment src,
      long srcOffset,
      MemorySegment dst,
      long dstOffset,
      long count) {
    reduce(a, aOffset, src, srcOffset, dst, dstOffset, count, scales, false);
  }

  @Override
  public final void reduceFinal(
      MemorySegment a,
      long aOffset,
      MemorySegment src,
      long srcOffset,
      MemorySegment dst,
      long dstOffset,
      long count) {
    reduce(a, aOffset, src, srcOffset, dst, dstOffset, count, scales, divides);
  }

  @Override
  public final void combine(
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      MemorySegment dst,
      long dstOffset,
      long count) {
    reduce(a, aOffset, b, bOffset, dst, dstOffset, count, false, false);
  }

  @Override
  public final void combineFinal(
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      MemorySegment dst,
      long dstOffset,
      long count) {
    reduce(a, aOffset, b, bOffset, dst, dstOffset, count, false, divides);
  }

  private void copy(
      MemorySegment src,
      long srcOffset,
      MemorySegment dst,
      long dstOffset,
      long count,
      boolean divide) {
    long bytes = bytes(count);
    Objects.checkFromIndexSize(srcOffset, bytes, src.byteSize());
    Objects.checkFromIndexSize(dstOffset, bytes, dst.byteSize());
    if (!scales && !divide) {
      MemorySegment.copy(src, srcOffset, dst, dstOffset, bytes);
      return;
    }
    Block<A> block = blocks.get();
    for (long at = 0; at < bytes; at += Block.BYTES) {
      int length = (int) Math.min(Block.BYTES, bytes - at);
      MemorySegment.copy(src, srcOffset + at, block.rightBytes, 0, length);
      if (scales) {
        scale(block.right, length / elementSize);
      } else {
        divide(block.right, length / elementSize);
      }
      if (nans != null) {
        nans.replace(block.rightBytes, length);
      }
      MemorySegment.copy(block.rightBytes, 0, dst, dstOffset + at, length);
    }
  }

  private void reduce(
      MemorySegment a,
      long aOffset,
      MemorySegment src,
      long srcOffset,
      MemorySegment dst,
      long dstOffset,
      long count,
      boolean scale,
      boolean divide) {
    long bytes = bytes(count);
    Objects.checkFromIndexSize(aOffset, bytes, a.byteSize());
    Objects.checkFromIndexSize(srcOffset, bytes, src.byteSize());
    Objects.checkFromIndexSize(dstOffset, bytes, dst.byteSize());
    Block<A> block = blocks.get();
    for (long at = 0; at < bytes; at += Block.BYTES) {
      int length = (int) Math.min(Block.BYTES, bytes - at);
      int elements = length / elementSize;
      MemorySegment.copy(a, aOffset + at, block.leftBytes, 0, length);
      MemorySegment.copy(src, srcOffset + at, block.rightBytes, 0, length);
      if (scale) {
        scale(block.right, elements);
      }
      apply(block.left, block.right, elements);
      if (divide) {
        divide(block.left, elements);
      }
      if (nans != null) {
        nans.replace(block.leftBytes, length);
      }
      MemorySegment.copy(block.leftBytes, 0, dst, dstOffset + at, length);
    }
  }

  private long bytes(long count) {
    if (count < 0 || count > Long.MAX_VALUE / elementSize) {
      throw new IndexOutOfBoundsException("element count out of range: " + count);
    }
    return count * elementSize;
  }
}
