// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.memory;

import io.nitinol.core.shm.SharedRegion;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.Slots;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one connection: how many messages the receiver has released, and {@link
 * Slots#COUNT} slots.
 *
 * <pre>
 *    0  messages released      8   the receiver's
 *  256  slots, stride apart        the sender's
 * </pre>
 *
 * <p>A slot tells by itself that it is filled, so that a message of a few bytes is one cache line
 * from one processor to the other:
 *
 * <pre>
 *    0  number of the message, from 1      8   written last
 *    8  bytes of data                      4
 *   12  whether they are lent              4
 *   16  or 48: {@link MessageHeader}, and behind it the data
 * </pre>
 */
final class SlotRing {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final long LINE = 64;
  private static final long RELEASED = SharedRegion.HEADER;
  private static final long SLOTS = SharedRegion.HEADER + 256;
  private static final long BYTES = 8;
  private static final long LENT = 12;

  /** The data begins in the slot's first line where messages are small, on the next one if not. */
  private static final int SMALL = 32 << 10;

  /** What is lent is cut nevertheless, so that neither rank is away from the others for long. */
  private static final int LENT_BYTES = 128 << 10;

  private final SharedRegion region;
  private final MemorySegment memory;
  private final @Nullable LentBuffers lent;
  private final int capacity;
  private final long front;
  private final long stride;

  SlotRing(SharedRegion region, int capacity) {
    this.region = region;
    this.memory = region.memory();
    this.lent = region.attachment() instanceof LentBuffers buffers ? buffers : null;
    this.capacity = capacity;
    this.front = front(capacity);
    this.stride = stride(capacity);
  }

  private static long front(int capacity) {
    return capacity <= SMALL ? LINE / 2 : LINE;
  }

  private static long stride(int capacity) {
    long lines = Math.ceilDiv(front(capacity) + capacity, LINE);
    return (lines % 64 == 0 ? lines + 1 : lines) * LINE; // not all in one set of the cache
  }

  /** Returns the size of a region for messages of up to {@code capacity} bytes. */
  static long bytes(int capacity) {
    return SLOTS + Slots.COUNT * stride(capacity);
  }

  MemorySegment memory() {
    return memory;
  }

  int capacity() {
    return capacity;
  }

  /** Returns the most bytes of a message of a transfer: what is lent does not go into a slot. */
  int pieceBytes() {
    return lent == null ? capacity : Math.max(capacity, LENT_BYTES);
  }

  /** Returns the buffers that the sender lends; null where the ranks are in two processes. */
  @Nullable LentBuffers lent() {
    return lent;
  }

  private long slot(long number) {
    return SLOTS + (number & Slots.MASK) * stride;
  }

  /** Returns where the data of message {@code number}, from 0, begins if it is in the slot. */
  long offset(long number) {
    return slot(number) + front;
  }

  /** Tells the receiver that message {@code number} is there. */
  void post(long number, int bytes, boolean isLent) {
    long slot = slot(number);
    memory.set(ValueLayout.JAVA_INT, slot + BYTES, bytes);
    memory.set(ValueLayout.JAVA_INT, slot + LENT, isLent ? 1 : 0);
    LONG.setRelease(memory, slot, number + 1);
  }

  boolean isPosted(long number) {
    return (long) LONG.getAcquire(memory, slot(number)) > number;
  }

  int bytes(long number) {
    return memory.get(ValueLayout.JAVA_INT, slot(number) + BYTES);
  }

  boolean isLent(long number) {
    return memory.get(ValueLayout.JAVA_INT, slot(number) + LENT) != 0;
  }

  /** Returns how many messages the receiver has released. */
  long released() {
    return (long) LONG.getAcquire(memory, RELEASED);
  }

  void release(long count) {
    LONG.setRelease(memory, RELEASED, count);
  }

  void close() {
    region.close();
  }
}
