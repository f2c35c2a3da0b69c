// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.kernel.v1;

import java.lang.foreign.MemorySegment;

/**
 * The element-wise kernel of one data type and operator over native memory. A schedule calls it
 * once per step, and says by the choice of method whether the step holds this rank's own
 * contribution and whether it yields the final result:
 *
 * <ul>
 *   <li><i>pre</i> is applied to this rank's own contribution, exactly once: floating-point
 *       averages multiply it by 1/n, pre-multiplied sums by the scalar (NCCL's {@code
 *       FuncPreMulSum});
 *   <li><i>post</i> is applied to the complete reduction, exactly once: integer averages divide it
 *       by n (NCCL's {@code FuncSumPostDiv}).
 * </ul>
 *
 * For every other operator both are the identity. Between them is {@code op}, which is the sum
 * where the operator is average or pre-multiplied sum. Where data is only forwarded nothing
 * applies: use {@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)}.
 *
 * <p>Offsets are in bytes, from the start of the segment, and need not be aligned for the type;
 * counts are in elements and may exceed 2<sup>31</sup>. The destination range must be exactly one
 * of the operand ranges or overlap neither. Segments must be native. A range outside its segment
 * throws {@link IndexOutOfBoundsException}, before anything has been written.
 *
 * <p>Where several ranks each reduce for themselves, instead of passing on one rank's result, all
 * of them give the same partial results in the same places, {@code a} on the left and the other on
 * the right: operators need not be associative. Two operands give the same bits in either order,
 * NaNs included, whatever compiled the kernel.
 *
 * <p>Functions are immutable and safe for use by many threads at once. A call allocates nothing
 * once its thread has made a first call, does not block, and keeps no reference to the segments.
 */
public interface ReduceFunction {

  /**
   * Writes {@code pre(src)} to {@code dst}: a rank's own contribution, on its way into the network.
   *
   * @param src this rank's own contribution
   * @param srcOffset first byte of {@code src}
   * @param dst where the result goes
   * @param dstOffset first byte of {@code dst}
   * @param count number of elements
   */
  void copy(MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, long count);

  /**
   * Writes {@code post(pre(src))} to {@code dst}: the whole reduction where there is one rank.
   *
   * @param src this rank's own contribution
   * @param srcOffset first byte of {@code src}
   * @param dst where the result goes
   * @param dstOffset first byte of {@code dst}
   * @param count number of elements
   */
  void copyFinal(MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, long count);

  /**
   * Writes {@code a op pre(src)} to {@code dst}.
   *
   * @param a the partial result received
   * @param aOffset first byte of {@code a}
   * @param src this rank's own contribution
   * @param srcOffset first byte of {@code src}
   * @param dst where the new partial result goes
   * @param dstOffset first byte of {@code dst}
   * @param count number of elements
   */
  void reduce(
      MemorySegment a,
      long aOffset,
      MemorySegment src,
      long srcOffset,
      MemorySegment dst,
      long dstOffset,
      long count);

  /**
   * Writes {@code post(a op pre(src))} to {@code dst}: the last step of a reduction.
   *
   * @param a the partial result received, which holds every other rank's contribution
   * @param aOffset first byte of {@code a}
   * @param src this rank's own contribution
   * @param srcOffset first byte of {@code src}
   * @param dst where the result goes
   * @param dstOffset first byte of {@code dst}
   * @param count number of elements
   */
  void reduceFinal(
      MemorySegment a,
      long aOffset,
      MemorySegment src,
      long srcOffset,
      MemorySegment dst,
      long dstOffset,
      long count);

  /**
   * Writes {@code a op b} to {@code dst}: two partial results, to both of which <i>pre</i> has been
   * applied already, as in a tree.
   *
   * @param a the partial result on the left
   * @param aOffset first byte of {@code a}
   * @param b the partial result on the right
   * @param bOffset first byte of {@code b}
   * @param dst where the new partial result goes
   * @param dstOffset first byte of {@code dst}
   * @param count number of elements
   */
  void combine(
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      MemorySegment dst,
      long dstOffset,
      long count);

  /**
   * Writes {@code post(a op b)} to {@code dst}: the last step, of two partial results that hold
   * every contribution between them.
   *
   * @param a the partial result on the left
   * @param aOffset first byte of {@code a}
   * @param b the partial result on the right
   * @param bOffset first byte of {@code b}
   * @param dst where the result goes
   * @param dstOffset first byte of {@code dst}
   * @param count number of elements
   */
  void combineFinal(
      MemorySegment a,
      long aOffset,
      MemorySegment b,
      long bOffset,
      MemorySegment dst,
      long dstOffset,
      long count);
}
