// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.net.v12.Net;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one comm: a fixed pool, and the queue of those that are not complete, in the
 * order in which they were posted. Slots complete in that order but come back to the pool in
 * whatever order the caller asks about them. Not thread-safe, as comms are not.
 */
final class RequestRing {
  /** How many requests a comm keeps at once. */
  static final int SLOTS = Net.MAX_REQUESTS;

  private static final int MASK = SLOTS - 1;

  private final SocketRequest[] free = new SocketRequest[SLOTS];
  private final SocketRequest[] queue = new SocketRequest[SLOTS];
  private int freeCount = SLOTS;
  // Both count up for ever and are masked on use.
  private long head;
  private long tail;

  RequestRing(SocketComm owner) {
    for (int i = 0; i < SLOTS; i++) {
      free[i] = new SocketRequest(owner);
    }
  }

  /** Takes a slot from the pool and appends it to the queue; null where all slots are taken. */
  @Nullable SocketRequest post(SocketMemory memory, long offset, long length, int tag) {
    if (freeCount == 0) {
      return null;
    }
    SocketRequest request = free[--freeCount];
    request.state = SocketRequest.State.ACTIVE;
    request.memory = memory;
    request.offset = offset;
    request.length = length;
    request.tag = tag;
    request.size = length;
    queue[(int) tail++ & MASK] = request;
    return request;
  }

  /** Returns how many requests were posted so far. */
  long posted() {
    return tail;
  }

  /** Returns how many requests completed so far, which is the number of the queue's head. */
  long completed() {
    return head;
  }

  /** Returns request {@code number}, counted from 0 since the comm exists; it is in the queue. */
  SocketRequest get(long number) {
    return queue[(int) number & MASK];
  }

  /** Returns the head of the queue, or null where it is empty. */
  @Nullable SocketRequest head() {
    return head == tail ? null : queue[(int) head & MASK];
  }

  /** Completes the head of the queue, which is not empty. */
  void completeHead(long size) {
    SocketRequest request = queue[(int) head++ & MASK];
    request.size = size;
    request.state = SocketRequest.State.DONE;
  }

  /** Takes a completed request back into the pool. */
  void release(SocketRequest request) {
    request.state = SocketRequest.State.FREE;
    request.memory = null;
    free[freeCount++] = request;
  }
}
