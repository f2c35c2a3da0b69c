// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An operation of one member's: an all-reduce, or a gather or scatter of a window. Each goes
 * through its bytes a chunk at a time, those of the window being the same on all members.
 */
final class ReduceOperation extends MemoryOperation {
  private final MemoryMember member;
  MemorySegment from = MemorySegment.NULL;
  long fromOffset;
  MemorySegment into = MemorySegment.NULL;
  long intoOffset;
  int bytes; // of the areas, or of the window

  /** The pieces of the window; null for an all-reduce. */
  @Nullable Window window;

  boolean gathers;
  DataType type = DataType.INT8;
  ReductionOp operator = ReductionOp.SUM;
  int contributed; // bytes that the others can see
  int reduced; // bytes of the result that are there
  boolean complete;

  ReduceOperation(MemoryMember member) {
    super(member);
    this.member = member;
  }

  void start(
      MemoryRegion send,
      long sendOffset,
      MemoryRegion recv,
      long recvOffset,
      int size,
      DataType dataType,
      ReductionOp op) {
    from = send.segment;
    fromOffset = sendOffset;
    into = recv.segment;
    intoOffset = recvOffset;
    bytes = size;
    window = null;
    gathers = false;
    type = dataType;
    operator = op;
    contributed = 0;
    reduced = 0;
    complete = false;
    live = true;
  }

  /** Makes it a gather, of whose window this member sends its own bytes. */
  void startGather(MemoryRegion send, long sendOffset, Window pieces) {
    start(send, sendOffset, send, sendOffset, pieces.bytes, DataType.INT8, ReductionOp.SUM);
    window = pieces;
    gathers = true;
  }

  /** Makes it a scatter, of whose window this member receives its own bytes. */
  void startScatter(
      Window pieces, MemoryRegion recv, long recvOffset, DataType dataType, ReductionOp op) {
    start(recv, recvOffset, recv, recvOffset, pieces.bytes, dataType, op);
    window = pieces;
  }

  /** Copies what this member contributes of {@code count} bytes to {@code at} of {@code to}. */
  void contribute(int count, int rank, MemorySegment to, long at) {
    Window pieces = window;
    if (pieces == null) {
      MemorySegment.copy(from, fromOffset + contributed, to, at, count);
    } else if (!gathers) {
      pieces.copyOut(contributed, count, to, at);
    } else {
      int first = pieces.first(rank, contributed, count);
      int length = pieces.length(rank, contributed, count);
      if (length > 0) {
        long own = fromOffset + first - pieces.start(rank);
        MemorySegment.copy(from, own, to, at + first - contributed, length);
      }
    }
  }

  /** Makes {@code count} bytes of the result of what the members have contributed. */
  void reduce(int count, int rank, MemorySegment chunks, long[] sources) {
    Window pieces = window;
    if (pieces == null) {
      MemoryElements.reduce(type, operator, chunks, sources, count, into, intoOffset + reduced);
    } else if (gathers) {
      for (int member = 0; member < sources.length; member++) {
        int first = pieces.first(member, reduced, count);
        int length = pieces.length(member, reduced, count);
        if (length > 0) {
          pieces.copyIn(chunks, sources[member] + first - reduced, first, length);
        }
      }
    } else {
      int first = pieces.first(rank, reduced, count);
      int length = pieces.length(rank, reduced, count);
      if (length > 0) {
        for (int member = 0; member < sources.length; member++) {
          sources[member] += first - reduced;
        }
        long own = intoOffset + first - pieces.start(rank);
        MemoryElements.reduce(type, operator, chunks, sources, length, into, own);
      }
    }
  }

  @Override
  int pieces() {
    return 1;
  }

  @Override
  boolean isComplete() {
    return complete;
  }

  @Override
  void report(int[] sizes) {
    Window pieces = window;
    sizes[0] = pieces == null || gathers ? bytes : pieces.own; // COLL-17, COLL-23, COLL-24
  }

  @Override
  void release() {
    live = false;
    from = MemorySegment.NULL; // or the pool would keep the caller's memory from being collected
    into = MemorySegment.NULL;
    window = null;
    member.release(this);
  }
}
