// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.vector;

import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Objects;
import jdk.incubator.vector.IntVector;

/**
 * Checks the ranges of a call and splits it into whole vectors, for which a subclass has loops, and
 * the few elements that remain.
 *
 * <p>A subclass has a loop of its own per operator, because a vector operation compiles to an
 * instruction only where the operator is a constant and everything around it is inlined. C2 stops
 * inlining at some size, so a loop's body stands once: remainders take another way.
 */
abstract class VectorFunction implements ReduceFunction {

  /** Size of the vectors of every lane type. */
  static final int VECTOR_BYTES = IntVector.SPECIES_PREFERRED.vectorByteSize();

  static final ByteOrder NATIVE = ByteOrder.nativeOrder();

  private final int elementSize;
  private final boolean scales;
  private final boolean divides;

  /**
   * Sets up a function.
   *
   * @param scales whether <i>pre</i> is a multiplication rather than nothing
   * @param divides whether <i>post</i> is a division rather than nothing; not both may be
   */
  VectorFunction(int elementSize, boolean scales, boolean divides) {
    this.elementSize = elementSize;
    this.scales = scales;
    this.divides = divides;
  }

  /**
   * Writes {@code a op b}; {@code bytes} is a multiple of a vector's, here and in all the loops.
   */
  abstract void operate(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes);

  /**
   * Writes {@code a op pre(b)}, piece by piece; one loop for both is faster if C2 can inline it.
   */
  void operateScaled(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes) {
    MemorySegment scaled = VectorScratch.ofThisThread().piece;
    for (long at = 0; at < bytes; at += VectorScratch.PIECE_BYTES) {
      long length = Math.min(VectorScratch.PIECE_BYTES, bytes - at);
      scale(b, bAt + at, scaled, 0, length);
      operate(a, aAt + at, scaled, 0, dst, dstAt + at, length);
    }
  }

  /** Writes {@code pre(src)}. */
  void scale(MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes) {
    throw new AssertionError("this kernel does not scale");
  }

  /** Writes {@code post(src)}. */
  void divide(MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes) {
    throw new AssertionError("this kernel does not divide");
  }

  /** Writes {@code a op b}, or {@code a op pre(b)}, of less than a vector. */
  void operateOnFew(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes,
      boolean scaled) {
    VectorScratch scratch = VectorScratch.ofThisThread();
    MemorySegment left = scratch.left;
    MemorySegment right = scratch.right;
    MemorySegment.copy(a, aAt, left, 0, bytes);
    MemorySegment.copy(b, bAt, right, 0, bytes);
    if (scaled) {
      operateScaled(left, 0, right, 0, left, 0, VECTOR_BYTES);
    } else {
      operate(left, 0, right, 0, left, 0, VECTOR_BYTES);
    }
    MemorySegment.copy(left, 0, dst, dstAt, bytes);
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
    operate(a, aOffset, src, srcOffset, dst, dstOffset, count, scales, false);
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
    operate(a, aOffset, src, srcOffset, dst, dstOffset, count, scales, divides);
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
    operate(a, aOffset, b, bOffset, dst, dstOffset, count, false, false);
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
    operate(a, aOffset, b, bOffset, dst, dstOffset, count, false, divides);
  }

  private void copy(
      MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long count, boolean divided) {
    long bytes = bytes(count);
    Objects.checkFromIndexSize(srcAt, bytes, src.byteSize());
    Objects.checkFromIndexSize(dstAt, bytes, dst.byteSize());
    if (!scales && !divided) {
      MemorySegment.copy(src, srcAt, dst, dstAt, bytes);
      return;
    }
    long whole = bytes & -VECTOR_BYTES;
    change(src, srcAt, dst, dstAt, whole, divided);
    if (whole < bytes) {
      changeFew(src, srcAt + whole, dst, dstAt + whole, bytes - whole, divided);
    }
  }

  private void change(
      MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes, boolean divided) {
    if (divided) {
      divide(src, srcAt, dst, dstAt, bytes);
    } else {
      scale(src, srcAt, dst, dstAt, bytes);
    }
  }

  private void changeFew(
      MemorySegment src, long srcAt, MemorySegment dst, long dstAt, long bytes, boolean divided) {
    MemorySegment staged = VectorScratch.ofThisThread().left;
    MemorySegment.copy(src, srcAt, staged, 0, bytes);
    change(staged, 0, staged, 0, VECTOR_BYTES, divided);
    MemorySegment.copy(staged, 0, dst, dstAt, bytes);
  }

  private void operate(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long count,
      boolean scaled,
      boolean divided) {
    long bytes = bytes(count);
    Objects.checkFromIndexSize(aAt, bytes, a.byteSize());
    Objects.checkFromIndexSize(bAt, bytes, b.byteSize());
    Objects.checkFromIndexSize(dstAt, bytes, dst.byteSize());
    long whole = bytes & -VECTOR_BYTES;
    if (divided) {
      operateAndDivide(a, aAt, b, bAt, dst, dstAt, whole);
    } else if (scaled) {
      operateScaled(a, aAt, b, bAt, dst, dstAt, whole);
    } else if (whole > 0) {
      operate(a, aAt, b, bAt, dst, dstAt, whole);
    }
    if (whole < bytes) {
      long few = bytes - whole;
      operateOnFew(a, aAt + whole, b, bAt + whole, dst, dstAt + whole, few, scaled);
      if (divided) {
        changeFew(dst, dstAt + whole, dst, dstAt + whole, few, true);
      }
    }
  }

  private void operateAndDivide(
      MemorySegment a,
      long aAt,
      MemorySegment b,
      long bAt,
      MemorySegment dst,
      long dstAt,
      long bytes) {
    long at = 0;
    while (at < bytes) {
      long length = Math.min(VectorScratch.PIECE_BYTES, bytes - at);
      operate(a, aAt + at, b, bAt + at, dst, dstAt + at, length);
      divide(dst, dstAt + at, dst, dstAt + at, length);
      at += length;
    }
  }

  /**
   * Returns the same memory, for as long as it lives, as a segment whose class C2 can see. The
   * classes that a loop would meet otherwise are guessed from a profile, which all users of the
   * Vector API share and which its own fallbacks fill with heap segments.
   */
  static MemorySegment plain(MemorySegment segment) {
    return segment.reinterpret(segment.byteSize());
  }

  private long bytes(long count) {
    if (count < 0 || count > Long.MAX_VALUE / elementSize) {
      throw new IndexOutOfBoundsException("element count out of range: " + count);
    }
    return count * elementSize;
  }
}
