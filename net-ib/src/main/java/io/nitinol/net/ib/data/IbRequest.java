// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/**
 * One slot of a comm's pool: a message being sent, a receive of some pieces, or a flush; NCCL's
 * {@code ncclIbRequest}. Reused, never reallocated; the thread that drives the comm uses it.
 */
public final class IbRequest implements Request {
  /** Where a slot is in its life. */
  enum State {
    /** In the pool. */
    FREE,
    /** Handed to the caller, not complete. */
    ACTIVE,
    /** Complete, and the caller has not yet been told. */
    DONE
  }

  /** The comm that the slot belongs to. */
  private final Comm owner;

  State state = State.FREE;

  /** How many sizes there are to report: 1 for a send, the pieces of a receive, 0 for a flush. */
  int pieces;

  /** The size of each piece, in bytes; of a receive that is not complete, the room. */
  final long[] sizes;

  /** How many completions it takes until the request is complete. */
  int awaited;

  /** Its place in its pool, by which a completion finds it. */
  final int index;

  private final Pool home;

  private IbRequest(Comm owner, Pool home, int index, int mostPieces) {
    this.owner = owner;
    this.home = home;
    this.index = index;
    this.sizes = new long[mostPieces];
  }

  /** Returns the comm that the request belongs to. */
  public Comm owner() {
    return owner;
  }

  /** Counts one completion. */
  void completed() {
    if (--awaited == 0) {
      state = State.DONE;
    }
  }

  /** The free requests of one kind of a comm. */
  static final class Pool {
    private final IbRequest[] all;
    private final IbRequest[] free;
    private int count;

    Pool(Comm owner, int size, int mostPieces) {
      free = new IbRequest[size];
      for (int i = 0; i < size; i++) {
        free[i] = new IbRequest(owner, this, i, mostPieces);
      }
      all = free.clone();
      count = size;
    }

    /** Takes a request, which is active then; null where all are taken. */
    @Nullable IbRequest take(int pieces, int awaited) {
      if (count == 0) {
        return null;
      }
      IbRequest request = free[--count];
      request.state = State.ACTIVE;
      request.pieces = pieces;
      request.awaited = awaited;
      return request;
    }

    /** Returns a request by its place. */
    IbRequest get(int index) {
      return all[index];
    }

    /** Returns how many requests are taken. */
    int taken() {
      return free.length - count;
    }
  }

  /** Puts the request back into its pool. */
  void release() {
    if (state == State.FREE) {
      throw new IllegalStateException("request is not taken from its pool");
    }
    state = State.FREE;
    home.free[home.count++] = this;
  }
}
