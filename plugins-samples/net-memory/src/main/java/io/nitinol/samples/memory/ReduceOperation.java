// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;

/** An all-reduce of one member's. */
final class ReduceOperation extends Operation {
  private final Member member;
  MemorySegment from = MemorySegment.NULL;
  long fromOffset;
  MemorySegment into = MemorySegment.NULL;
  long intoOffset;
  int bytes;
  DataType type = DataType.INT8;
  ReductionOp operator = ReductionOp.SUM;
  int contributed; // bytes that the others can see
  int reduced; // bytes of the result that are there
  boolean complete;

  ReduceOperation(Member member) {
    super(member);
    this.member = member;
  }

  void start(
      Region send,
      long sendOffset,
      Region recv,
      long recvOffset,
      int size,
      DataType dataType,
      ReductionOp op) {
    from = send.segment;
    fromOffset = sendOffset;
    into = recv.segment;
    intoOffset = recvOffset;
    bytes = size;
    type = dataType;
    operator = op;
    contributed = 0;
    reduced = 0;
    complete = false;
    live = true;
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
    sizes[0] = bytes; // COLL-17
  }

  @Override
  void release() {
    live = false;
    from = MemorySegment.NULL; // or the pool would keep the caller's memory from being collected
    into = MemorySegment.NULL;
    member.release(this);
  }
}
