// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import java.lang.foreign.MemorySegment;

/** A message on its way into the ring. */
final class SendOperation extends MemoryOperation {
  private final MemorySender sender;
  MemorySegment from = MemorySegment.NULL;
  long offset;
  int length;
  int piece;
  boolean complete;

  SendOperation(MemorySender sender) {
    super(sender);
    this.sender = sender;
  }

  void start(MemorySegment memory, long start, int bytes, int number) {
    from = memory;
    offset = start;
    length = bytes;
    piece = number;
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
    sizes[0] = length;
  }

  @Override
  void release() {
    live = false;
    from = MemorySegment.NULL; // or the pool would keep the caller's memory from being collected
    sender.release(this);
  }
}
