// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The numbers by which a stream and the bridge thread tell each other how far they are, in pinned
 * host memory. Chunks are numbered from 1 on, those of all operations together, and the numbers
 * only grow. The stream writes {@code ready}, the host {@code done}. Within a chunk of sends and
 * receives, which is as large as all of them together, they tell each other of its pieces, too: the
 * stream by {@code staged} of those that are sent, the host by {@code come} of those received.
 */
final class BridgeFlags {
  /** The bytes that the numbers take; they are apart so that no cache line has both. */
  static final int BYTES = 512;

  private static final int READY = 0;
  private static final int DONE = 128;
  private static final int STAGED = 256;
  private static final int COME = 384;

  /** What frees every stream: more chunks than there will ever be, and no overflow behind it. */
  private static final long FAR = Long.MAX_VALUE / 2;

  private static final VarHandle NUMBER = ValueLayout.JAVA_LONG.varHandle();

  private final MemorySegment numbers;

  /** Begins at 0, in the first {@link #BYTES} bytes of {@code memory}. */
  BridgeFlags(MemorySegment memory) {
    numbers = memory.asSlice(0, BYTES);
    numbers.fill((byte) 0);
    VarHandle.fullFence();
  }

  /** Returns where the stream writes which chunks are in their slots. */
  long readyAddress() {
    return numbers.address() + READY;
  }

  /** Returns where the stream reads which chunks may be taken out of their slots. */
  long doneAddress() {
    return numbers.address() + DONE;
  }

  /** Returns where the stream writes how many pieces that are sent are in pinned memory. */
  long stagedAddress() {
    return numbers.address() + STAGED;
  }

  /** Returns where the stream reads how many pieces that are received are in pinned memory. */
  long comeAddress() {
    return numbers.address() + COME;
  }

  /** Returns whether so many pieces are in pinned memory, whose content can be read then. */
  boolean isStaged(long pieces) {
    return (long) NUMBER.getAcquire(numbers, (long) STAGED) - pieces >= 0;
  }

  /** Tells the stream how many pieces have come; does nothing once all streams are freed. */
  void come(long pieces) {
    long before = (long) NUMBER.getAcquire(numbers, (long) COME);
    if (before != FAR) { // else by another thread, which may do so now
      NUMBER.compareAndSet(numbers, (long) COME, before, pieces);
    }
  }

  /** Returns whether a chunk is in its slot, whose content can be read then. */
  boolean isReady(long chunk) {
    return (long) NUMBER.getAcquire(numbers, (long) READY) - chunk >= 0;
  }

  /** Tells the stream that the next chunk is done; does nothing once all streams are freed. */
  void done(long chunk) {
    boolean next = NUMBER.compareAndSet(numbers, (long) DONE, chunk - 1, chunk);
    if (!next && (long) NUMBER.getAcquire(numbers, (long) DONE) != FAR) {
      throw new IllegalStateException("chunk " + chunk + " is not the next one to be done");
    }
  }

  /** Frees every stream that waits, and those that will. */
  void free() {
    NUMBER.setVolatile(numbers, (long) DONE, FAR);
    NUMBER.setVolatile(numbers, (long) COME, FAR);
  }
}
