// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;

/**
 * One thread's pair of operand blocks on the heap. C2 vectorises loops over arrays, where equal
 * indices mean equal elements, but not loops over two native segments, which may overlap anyhow.
 *
 * @param <A> the array type
 */
final class Block<A> {

  /** Size of one operand block; both together leave room in a first-level cache. */
  static final int BYTES = 8 << 10;

  static final ThreadLocal<Block<byte[]>> OF_BYTES =
      perThread(1, byte[]::new, MemorySegment::ofArray);
  static final ThreadLocal<Block<short[]>> OF_SHORTS =
      perThread(Short.BYTES, short[]::new, MemorySegment::ofArray);
  static final ThreadLocal<Block<int[]>> OF_INTS =
      perThread(Integer.BYTES, int[]::new, MemorySegment::ofArray);
  static final ThreadLocal<Block<long[]>> OF_LONGS =
      perThread(Long.BYTES, long[]::new, MemorySegment::ofArray);
  static final ThreadLocal<Block<float[]>> OF_FLOATS =
      perThread(Float.BYTES, float[]::new, MemorySegment::ofArray);
  static final ThreadLocal<Block<double[]>> OF_DOUBLES =
      perThread(Double.BYTES, double[]::new, MemorySegment::ofArray);

  /** The partial result, and where a kernel leaves its own. */
  final A left;

  /** The rank's own contribution, or another partial result. */
  final A right;

  final MemorySegment leftBytes;
  final MemorySegment rightBytes;

  Block(A left, A right, MemorySegment leftBytes, MemorySegment rightBytes) {
    this.left = left;
    this.right = right;
    this.leftBytes = leftBytes;
    this.rightBytes = rightBytes;
  }

  private static <A> ThreadLocal<Block<A>> perThread(
      int elementSize, IntFunction<A> allocate, SegmentOf<A> segment) {
    return ThreadLocal.withInitial(() -> {
      A left = allocate.apply(BYTES / elementSize);
      A right = allocate.apply(BYTES / elementSize);
      return new Block<>(left, right, segment.of(left), segment.of(right));
    });
  }

  private interface SegmentOf<A> {
    MemorySegment of(A array);
  }
}
