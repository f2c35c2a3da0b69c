// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.schedule.Step;
import io.nitinol.core.shm.CrossCoreCopy;
import io.nitinol.core.team.TeamArea;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Folds or copies buffers that the members of a team show each other, block by block: alone, or
 * with helpers where a step is large. The fields are the step at hand's; helpers see them, since
 * they are written before the step is offered.
 */
final class DirectFold extends SharedStep {
  /** What a step moves from which on helpers save more than it costs to call them. */
  private static final long LEAST_BYTES = 128 << 10;

  private static final MemorySegment NOTHING = MemorySegment.NULL;

  private final MemorySegment scratch;
  private final StepHelpers pool;
  private final int most;

  private @Nullable ReduceFunction function;
  private @Nullable TeamArea area;
  private long base;
  private int member;
  private long inputOffset;
  private long outputOffset;
  private long bytes;
  private int elementBytes;
  private boolean last;
  private MemorySegment target = NOTHING;

  DirectFold(MemorySegment scratch, StepHelpers pool, int most) {
    this.scratch = scratch;
    this.pool = pool;
    this.most = most;
  }

  @Override
  MemorySegment scratch() {
    return scratch;
  }

  void fold(
      ReduceFunction with,
      TeamArea in,
      long round,
      int into,
      long fromInput,
      long toOutput,
      long count,
      int size,
      boolean complete) {
    set(with, in);
    base = round;
    member = into;
    inputOffset = fromInput;
    outputOffset = toOutput;
    bytes = count * size;
    elementBytes = size;
    last = complete;
    runBlocks(bytes * in.members());
  }

  void copy(
      TeamArea in,
      long round,
      int from,
      long fromInput,
      MemorySegment to,
      long toOffset,
      long count) {
    set(null, in);
    base = round;
    member = from;
    inputOffset = fromInput;
    outputOffset = toOffset;
    bytes = count;
    keep(to);
    runBlocks(bytes);
  }

  /** A write of a reference costs more than a look, and steps give the same again and again. */
  @SuppressWarnings("ReferenceEquality") // is it the very one?
  private void set(@Nullable ReduceFunction with, TeamArea in) {
    if (function != with) {
      function = with;
    }
    if (area != in) {
      area = in;
    }
  }

  @SuppressWarnings("MemorySegmentReferenceEquality") // is it the very one?
  private void keep(MemorySegment to) {
    if (target != to) {
      target = to;
    }
  }

  private void runBlocks(long moved) {
    long blocks = Math.ceilDiv(bytes, Fold.BLOCK_BYTES);
    if (most == 0 || moved < LEAST_BYTES || blocks < 2) {
      for (long i = 0; i < blocks; i++) {
        block(i, scratch);
      }
    } else {
      begin(blocks);
      pool.run(this, most);
    }
  }

  @Override
  void block(long number, MemorySegment mine) {
    TeamArea in = area;
    if (in == null) {
      throw new IllegalStateException("no step was begun");
    }
    long at = number * Fold.BLOCK_BYTES;
    long length = Math.min(Fold.BLOCK_BYTES, bytes - at);
    ReduceFunction with = function;
    if (with == null) {
      long from = in.inputOffset(member, base) + inputOffset + at;
      CrossCoreCopy.copy(in.input(member, base), from, target, outputOffset + at, length);
    } else {
      foldBlock(with, in, at, length, mine);
    }
  }

  private void foldBlock(
      ReduceFunction with, TeamArea in, long at, long length, MemorySegment mine) {
    int own = in.index();
    int members = in.members();
    int first = member == Step.ALL ? own : member;
    long n = length / elementBytes;
    long place = outputOffset + at;
    MemorySegment output = in.output(first, base);
    long out = in.outputOffset(first, base) + place;
    long from = in.inputOffset(0, base) + inputOffset + at;
    if (members == 1) {
      Fold.alone(with, in.input(0, base), from, output, out, n, last);
      return;
    }
    with.copy(in.input(0, base), from, mine, 0, n);
    for (int m = 1; m < members; m++) {
      boolean end = m == members - 1;
      MemorySegment to = end ? output : mine;
      long offset = in.inputOffset(m, base) + inputOffset + at;
      Fold.reduce(with, mine, 0, in.input(m, base), offset, to, end ? out : 0, n, end && last);
    }
    for (int m = 0; member == Step.ALL && m < members; m++) {
      if (m != own) {
        CrossCoreCopy.copy(
            output, out, in.output(m, base), in.outputOffset(m, base) + place, length);
      }
    }
  }
}
