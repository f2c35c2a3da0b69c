// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.request;

import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.thread.OneThread;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one comm: a fixed pool, and the queue of those that are not complete, in the
 * order in which they were posted. Slots complete in that order but return to the pool in whatever
 * order the caller tests them.
 */
@OneThread
public final class RequestRing {
  /** How many requests a comm keeps at once. */
  private static final int SLOTS = Net.MAX_REQUESTS;

  private static final int MASK = SLOTS - 1;

  private final SocketRequest[] free = new SocketRequest[SLOTS];
  private final SocketRequest[] queue = new SocketRequest[SLOTS];
  private int freeCount = SLOTS;
  // Both only grow and are masked on use.
  private long head;
  private long tail;

  /** Creates the pool of one comm. */
  public RequestRing(Comm owner) {
    for (int i = 0; i < SLOTS; i++) {
      free[i] = new SocketRequest(owner);
    }
  }

  /** Takes a slot from the pool and appends it to the queue; null where all slots are taken. */
  public @Nullable SocketRequest post(SocketMemory memory, long offset, long length, int tag) {
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

  /** Returns how many requests have been posted so far. */
  public long posted() {
    return tail;
  }

  /** Returns how many requests have completed so far, which is the number of the queue's head. */
  public long completed() {
    return head;
  }

  /** Returns request {@code number} of the queue, counted from 0 since the comm exists. */
  public SocketRequest get(long number) {
    return queue[(int) number & MASK];
  }

  /** Returns the head of the queue, or null where it is empty. */
  public @Nullable SocketRequest head() {
    return head == tail ? null : queue[(int) head & MASK];
  }

  /** Completes the head of the queue, which is not empty. */
  public void completeHead(long size) {
    SocketRequest request = queue[(int) head++ & MASK];
    request.size = size;
    request.state = SocketRequest.State.DONE;
  }

  /** Takes a completed request back into the pool. */
  public void release(SocketRequest request) {
    request.state = SocketRequest.State.FREE;
    request.memory = null;
    free[freeCount++] = request;
  }
}
