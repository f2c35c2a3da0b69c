// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory of one end of a connection: a ring of slots to receive into or to send from, in one
 * piece, so that it is registered once. A slot is a message: {@link MessageHeader} and data, the
 * data on a cache line.
 */
public final class Slots {
  /** How many messages one direction has in flight; {@code NCCL_STEPS}. */
  public static final int COUNT = 8;

  /** What is left of a message's number is its slot. */
  public static final int MASK = COUNT - 1;

  /** Room in front of the data, so that header and data are one piece and the data is aligned. */
  private static final int FRONT = 64;

  /**
   * Keeps slots from starting at the same place of every page, where they would share cache sets.
   */
  private static final int SKEW = 64;

  private final MemorySegment memory;
  private final int capacity;
  private final long stride;

  /**
   * Allocates the slots.
   *
   * @param arena owns the memory
   * @param capacity the most data bytes of a message
   */
  public Slots(Arena arena, int capacity) {
    this.capacity = capacity;
    this.stride = stride(capacity);
    this.memory = arena.allocate(bytes(capacity), 4096);
  }

  /** Returns the bytes of the whole piece of memory for messages of {@code capacity} bytes. */
  public static long bytes(int capacity) {
    return COUNT * stride(capacity);
  }

  private static long stride(int capacity) {
    return Math.ceilDiv((long) FRONT + capacity + SKEW, 64) * 64;
  }

  /** Returns the whole piece of memory. */
  public MemorySegment memory() {
    return memory;
  }

  /** Returns the most data bytes of a message. */
  public int capacity() {
    return capacity;
  }

  /** Returns where the data of message number {@code index} begins. */
  public long offset(long index) {
    return (index & MASK) * stride + FRONT;
  }
}
