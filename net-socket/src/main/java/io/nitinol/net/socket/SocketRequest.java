// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.net.Request;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One slot of a comm's pool: a message being sent or received. Reused, never reallocated. The
 * driver of the comm uses it, and other threads only what {@link #claim} has given them a share of.
 */
final class SocketRequest implements Request {
  /** Where a slot is in its life. */
  enum State {
    /** In nobody's hands. */
    FREE,
    /** Handed to the caller, not complete. */
    ACTIVE,
    /** Complete, and the caller has not yet been told. */
    DONE
  }

  private static final VarHandle CLAIMS;
  private static final VarHandle LEFT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CLAIMS = lookup.findVarHandle(SocketRequest.class, "claims", long.class);
      LEFT = lookup.findVarHandle(SocketRequest.class, "chunksLeft", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The comm that the slot belongs to. */
  final SocketComm owner;

  State state = State.FREE;

  /** The memory of the message; null while the slot is free. */
  @Nullable SocketMemory memory;

  /** The first byte of the message in its memory. */
  long offset;

  /** The length of a sent message, or the room for a received one; in bytes. */
  long length;

  /** What travels with the message. */
  int tag;

  /** The size that test reports. */
  long size;

  /** For a sent message: how many bytes of the stream there are up to its end. */
  long end;

  /** The size of each chunk but the last, where the message comes or goes in chunks. */
  long chunk;

  /** How many chunks have not been sent or received yet. */
  int chunksLeft;

  /**
   * For a received message in chunks: the low half of its number, and a bit for each chunk that has
   * come or is coming, or that the message does not have. In one word, so that a chunk of a message
   * that is over cannot be taken for one of the message that has the slot now: when the last chunk
   * is claimed, no bit is left to claim until the next message is announced.
   */
  @SuppressWarnings("UnusedVariable") // by CLAIMS
  private long claims = -1;

  SocketRequest(SocketComm owner) {
    this.owner = owner;
  }

  /** Says in which chunks a message is going to come; from now on they can be claimed. */
  void announce(long number, long bytes, long chunkBytes) {
    size = bytes;
    chunk = chunkBytes;
    int count = (int) Chunks.count(bytes, chunkBytes);
    chunksLeft = count;
    CLAIMS.setRelease(this, number << 32 | (0xffff_ffffL & (-1L << count)));
  }

  /** Says that a message does not come in chunks. */
  void refuseChunks(long number) {
    CLAIMS.setRelease(this, number << 32 | 0xffff_ffffL);
  }

  /**
   * Takes a chunk of an announced message for the caller to receive.
   *
   * @return what speaks against it, or null: it is the caller's
   */
  @Nullable String claim(long number, long from, int bytes) {
    while (true) {
      long seen = (long) CLAIMS.getAcquire(this);
      int taken = (int) seen;
      if ((int) (seen >>> 32) != (int) number) {
        return "that message is over";
      }
      if (taken == -1) {
        return "no chunk of that message is still to come";
      }
      long whole = size;
      long each = chunk;
      // While a chunk can be claimed the two belong to that message; otherwise the slot may have
      // been posted again, and they are those of another.
      VarHandle.acquireFence();
      if ((long) CLAIMS.getOpaque(this) != seen) {
        continue;
      }
      if (from < 0 || from >= whole || from % each != 0) {
        return "its " + whole + " bytes come in chunks of " + each;
      }
      if (bytes != Math.min(each, whole - from)) {
        return "that chunk of its " + whole + " bytes has " + Math.min(each, whole - from);
      }
      int bit = 1 << (int) (from / each);
      if ((taken & bit) != 0) {
        return "that chunk has come before";
      }
      if (CLAIMS.compareAndSet(this, seen, seen | Integer.toUnsignedLong(bit))) {
        return null;
      }
    }
  }

  /** Says that a claimed chunk is there. */
  void chunkArrived() {
    LEFT.getAndAddRelease(this, -1);
  }

  /** Returns whether all chunks are there, and their bytes to be seen. */
  boolean hasAllChunks() {
    return (int) LEFT.getAcquire(this) == 0;
  }
}
