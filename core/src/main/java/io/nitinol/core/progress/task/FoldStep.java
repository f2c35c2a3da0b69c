// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.schedule.Step;
import io.nitinol.core.shm.CrossCoreCopy;
import io.nitinol.core.team.TeamArea;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Folds or copies for a team, block by block: alone, or with helpers where a step is large. The
 * fields are the step at hand's; helpers see them, since they are written before the step is
 * offered.
 */
final class FoldStep extends SharedStep {
  /** What a step moves from which on helpers save more than it costs to call them. */
  private static final long LEAST_BYTES = 128 << 10;

  /** What the step does. */
  private enum Work {
    /** Folds the members' own buffers. */
    DIRECT,
    /** Folds what lies in slots, and this rank's buffer. */
    SLOTS,
    /** Copies. */
    COPY
  }

  private final MemorySegment scratch;
  private final StepHelpers pool;
  private final int most;

  private Work work = Work.COPY;
  private @Nullable ReduceFunction function;
  private @Nullable TeamArea area;
  private long round;

  /** Whose output is written directly, or {@link Step#ALL}. */
  private int target;

  /** Where the step begins in slots. */
  private long place;

  private MemorySegment input = MemorySegment.NULL;
  private long inputOffset;
  private MemorySegment output = MemorySegment.NULL;
  private long outputOffset;
  private @Nullable MemorySegment also;
  private long alsoOffset;
  private long bytes;
  private int elementBytes;
  private boolean last;

  /**
   * Creates a step that does nothing yet.
   *
   * @param scratch {@link Fold#BLOCK_BYTES} bytes of its own
   * @param most how many helpers a step may have; 0 for none
   */
  FoldStep(MemorySegment scratch, StepHelpers pool, int most) {
    this.scratch = scratch;
    this.pool = pool;
    this.most = most;
  }

  @Override
  MemorySegment scratch() {
    return scratch;
  }

  /** As {@link Fold#direct}. */
  void direct(
      ReduceFunction with,
      TeamArea in,
      long ofRound,
      int into,
      long fromInput,
      long toOutput,
      long count,
      int size,
      boolean complete) {
    work = Work.DIRECT;
    set(with, in, count, size, complete);
    round = ofRound;
    target = into;
    inputOffset = fromInput;
    outputOffset = toOutput;
    runBlocks(bytes * in.members());
  }

  /** As {@link Fold#slots}. */
  void slots(
      ReduceFunction with,
      TeamArea in,
      long ofRound,
      long atPlace,
      MemorySegment from,
      long fromOffset,
      MemorySegment to,
      long toOffset,
      long count,
      int size,
      boolean complete,
      @Nullable MemorySegment second,
      long secondOffset) {
    work = Work.SLOTS;
    set(with, in, count, size, complete);
    setMemory(from, to, second);
    round = ofRound;
    place = atPlace;
    inputOffset = fromOffset;
    outputOffset = toOffset;
    alsoOffset = secondOffset;
    runBlocks(bytes * in.members());
  }

  /** Returns whether helpers would take a part of a step that moves so much. */
  boolean isLarge(long moved) {
    return most > 0 && moved >= LEAST_BYTES;
  }

  /** As {@link Fold#put}, with helpers. */
  void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long count) {
    work = Work.COPY;
    setMemory(from, to, null);
    inputOffset = fromOffset;
    outputOffset = toOffset;
    bytes = count;
    runBlocks(bytes);
  }

  /** A write of a reference costs more than a look, and steps give the same again and again. */
  @SuppressWarnings("ReferenceEquality") // is it the very one?
  private void set(ReduceFunction with, TeamArea in, long count, int size, boolean complete) {
    if (function != with) {
      function = with;
    }
    if (area != in) {
      area = in;
    }
    bytes = count * size;
    elementBytes = size;
    last = complete;
  }

  @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // the very one?
  private void setMemory(MemorySegment from, MemorySegment to, @Nullable MemorySegment second) {
    if (input != from) {
      input = from;
    }
    if (output != to) {
      output = to;
    }
    if (also != second) {
      also = second;
    }
  }

  private void runBlocks(long moved) {
    long blocks = Math.ceilDiv(bytes, Fold.BLOCK_BYTES);
    if (!isLarge(moved) || blocks < 2) {
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
    long at = number * Fold.BLOCK_BYTES;
    long length = Math.min(Fold.BLOCK_BYTES, bytes - at);
    ReduceFunction with = function;
    TeamArea in = area;
    if (work == Work.COPY) {
      CrossCoreCopy.copy(input, inputOffset + at, output, outputOffset + at, length);
    } else if (with == null || in == null) {
      throw new IllegalStateException("no step was begun");
    } else if (work == Work.DIRECT) {
      foldDirect(with, in, at, length, mine);
    } else {
      foldSlots(with, in, at, length, mine);
    }
  }

  private void foldDirect(
      ReduceFunction with, TeamArea in, long at, long length, MemorySegment mine) {
    int own = in.index();
    int members = in.members();
    int first = target == Step.ALL ? own : target;
    long n = length / elementBytes;
    MemorySegment to = in.output(first, round);
    long out = in.outputOffset(first, round) + outputOffset + at;
    long from = in.inputOffset(0, round) + inputOffset + at;
    if (members == 1) {
      Fold.alone(with, in.input(0, round), from, to, out, n, last);
      return;
    }
    with.copy(in.input(0, round), from, mine, 0, n);
    for (int m = 1; m < members; m++) {
      boolean end = m == members - 1;
      long offset = in.inputOffset(m, round) + inputOffset + at;
      Fold.reduce(
          with,
          mine,
          0,
          in.input(m, round),
          offset,
          end ? to : mine,
          end ? out : 0,
          n,
          end && last);
    }
    for (int m = 0; target == Step.ALL && m < members; m++) {
      if (m != own) {
        long place = in.outputOffset(m, round) + outputOffset + at;
        CrossCoreCopy.copy(to, out, in.output(m, round), place, length);
      }
    }
  }

  private void foldSlots(
      ReduceFunction with, TeamArea in, long at, long length, MemorySegment mine) {
    int own = in.index();
    int members = in.members();
    long n = length / elementBytes;
    if (members == 1) {
      Fold.alone(with, input, inputOffset + at, output, outputOffset + at, n, last);
    } else {
      // Two operands give the same bits in either order, so the first one needs no copy of its own.
      int first = own == 0 ? 1 : 0;
      MemorySegment left = in.memory(first);
      long leftOffset = in.offset(first, round) + place + at;
      for (int m = first == 0 ? 1 : 0; m < members; m++) {
        if (m == first) {
          continue;
        }
        boolean end = m == members - 1 || (members == 2 && own == 0);
        MemorySegment to = end ? output : mine;
        long toOffset = end ? outputOffset + at : 0;
        boolean done = end && last;
        if (m == own) {
          Fold.reduce(with, left, leftOffset, input, inputOffset + at, to, toOffset, n, done);
        } else {
          long offset = in.offset(m, round) + place + at;
          Fold.combine(with, left, leftOffset, in.memory(m), offset, to, toOffset, n, done);
        }
        left = mine;
        leftOffset = 0;
      }
    }
    if (also != null) {
      CrossCoreCopy.copy(output, outputOffset + at, also, alsoOffset + at, length);
    }
  }
}
