// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.schedule.Step;
import io.nitinol.core.shm.CrossCoreCopy;
import io.nitinol.core.team.TeamArea;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the contributions of a team, block by block, so that the partial result stays in the
 * first-level cache however many members there are. The order is that of the team on every rank,
 * and a member's own contribution has no other place in it than the others': all get the same bits.
 */
@OneThread
public final class Fold {
  /**
   * What is folded at once: the partial result fits a first-level cache. Larger than that cache
   * could keep with all operands, since each block begins anew to fetch from other processors.
   */
  public static final int BLOCK_BYTES = 32 << 10;

  /** Never written: what added to a sum of integers leaves it as it is. */
  private static final MemorySegment ZEROS = Arena.global().allocate(BLOCK_BYTES, 64);

  private final MemorySegment scratch;
  private FoldStep step;

  /**
   * Creates a fold.
   *
   * @param scratch {@link #BLOCK_BYTES} bytes of its own
   */
  public Fold(MemorySegment scratch) {
    this.scratch = scratch;
    this.step = new FoldStep(scratch, StepHelpers.process(), 0);
  }

  /**
   * Folds what lies in the slots of a round, this rank's contribution from its input.
   *
   * @param place where it begins in the slots, in bytes
   * @param input this rank's buffer, from {@code inputOffset} on
   * @param output where the result goes; may be the input
   * @param last whether the result is complete then
   * @param also where the result goes too, while it is still in the cache; or null
   */
  public void slots(
      ReduceFunction function,
      TeamArea area,
      long round,
      long place,
      MemorySegment input,
      long inputOffset,
      MemorySegment output,
      long outputOffset,
      long count,
      int elementBytes,
      boolean last,
      @Nullable MemorySegment also,
      long alsoOffset) {
    step.slots(
        function,
        area,
        round,
        place,
        input,
        inputOffset,
        output,
        outputOffset,
        count,
        elementBytes,
        last,
        also,
        alsoOffset);
  }

  /** Copies to where other ranks read, or have read last; the ranges do not overlap. */
  public void put(
      MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long bytes) {
    if (step.isLarge(bytes)) {
      step.copy(from, fromOffset, to, toOffset, bytes);
    } else {
      CrossCoreCopy.copy(from, fromOffset, to, toOffset, bytes);
    }
  }

  /** Copies to where only this rank reads; the ranges do not overlap. */
  public void get(
      MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long bytes) {
    if (step.isLarge(bytes)) {
      step.copy(from, fromOffset, to, toOffset, bytes);
    } else {
      MemorySegment.copy(from, fromOffset, to, toOffset, bytes);
    }
  }

  /** Has other threads take a part of large steps, at most {@code most} of them. */
  public void helpBy(StepHelpers pool, int most) {
    step = new FoldStep(scratch, pool, most);
  }

  /**
   * Folds the exposed inputs of all members into exposed outputs.
   *
   * @param target whose output; {@link Step#ALL} for those of all
   */
  public void direct(
      ReduceFunction function,
      TeamArea area,
      long base,
      int target,
      long inputOffset,
      long outputOffset,
      long count,
      int elementBytes,
      boolean last) {
    step.direct(function, area, base, target, inputOffset, outputOffset, count, elementBytes, last);
  }

  /** Does to a complete sum of integers, in place, what the operator does to a complete result. */
  public static void complete(
      ReduceFunction function, MemorySegment sum, long offset, long count, int elementBytes) {
    long block = BLOCK_BYTES / elementBytes;
    for (long from = 0; from < count; from += block) {
      long at = offset + from * elementBytes;
      function.combineFinal(sum, at, ZEROS, 0, sum, at, Math.min(block, count - from));
    }
  }

  /** Writes {@code pre(from)}, and what is done to a complete result if it is one. */
  static void alone(
      ReduceFunction function,
      MemorySegment from,
      long offset,
      MemorySegment to,
      long toOffset,
      long count,
      boolean last) {
    if (last) {
      function.copyFinal(from, offset, to, toOffset, count);
    } else {
      function.copy(from, offset, to, toOffset, count);
    }
  }

  /** Writes {@code left op pre(input)}, and what is done to a complete result if it is one. */
  public static void reduce(
      ReduceFunction function,
      MemorySegment left,
      long leftOffset,
      MemorySegment input,
      long inputOffset,
      MemorySegment to,
      long toOffset,
      long count,
      boolean last) {
    if (last) {
      function.reduceFinal(left, leftOffset, input, inputOffset, to, toOffset, count);
    } else {
      function.reduce(left, leftOffset, input, inputOffset, to, toOffset, count);
    }
  }

  /** Writes {@code left op right}, and what is done to a complete result if it is one. */
  public static void combine(
      ReduceFunction function,
      MemorySegment left,
      long leftOffset,
      MemorySegment right,
      long rightOffset,
      MemorySegment to,
      long toOffset,
      long count,
      boolean last) {
    if (last) {
      function.combineFinal(left, leftOffset, right, rightOffset, to, toOffset, count);
    } else {
      function.combine(left, leftOffset, right, rightOffset, to, toOffset, count);
    }
  }
}
