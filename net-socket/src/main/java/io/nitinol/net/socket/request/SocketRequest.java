// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.request;

import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.ErrorText;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One slot of a comm's pool: a message being sent or received. Slots are reused and never
 * reallocated. The thread that drives the comm uses a slot; the thread of a data stream uses only
 * the message of which {@link #claim} has given it a chunk.
 */
public final class SocketRequest implements Request {
  /** Where a slot is in its life. */
  public enum State {
    /** In the pool. */
    FREE,
    /** Handed to the caller, not complete. */
    ACTIVE,
    /** Complete, but the caller does not know it yet. */
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
  public final Comm owner;

  /** Where the slot is in its life. */
  public State state = State.FREE;

  /** The memory of the message; null while the slot is free. */
  public @Nullable SocketMemory memory;

  /** The first byte of the message in its memory. */
  public long offset;

  /** The length of a sent message, or the room for a received one; in bytes. */
  public long length;

  /** The tag that travels with the message. */
  public int tag;

  /** The size that test reports. */
  public long size;

  /** For a sent message: the position in the control stream at which it ends. */
  public long end;

  /** The size of each chunk but the last where the message travels in chunks, else 0. */
  public long chunk;

  /** How many chunks have not been sent or received yet. */
  public int chunksLeft;

  /**
   * For a received message in chunks: the low half of its number, and a bit for each chunk that is
   * claimed or that the message does not have. Both are in one word, so that a late chunk of an
   * earlier message cannot be taken for one of the message that has the slot now: when the last
   * chunk is claimed, no bit is left to claim until the next message is announced.
   */
  @SuppressWarnings("UnusedVariable") // by CLAIMS
  private long claims = -1;

  SocketRequest(Comm owner) {
    this.owner = owner;
  }

  /** Sets in which chunks a message will come; from now on they can be claimed. */
  public void announce(long number, long bytes, long chunkBytes) {
    size = bytes;
    chunk = chunkBytes;
    int count = (int) Chunks.count(bytes, chunkBytes);
    chunksLeft = count;
    CLAIMS.setRelease(this, number << 32 | (0xffff_ffffL & (-1L << count)));
  }

  /** Sets that a message does not come in chunks. */
  public void refuseChunks(long number) {
    CLAIMS.setRelease(this, number << 32 | 0xffff_ffffL);
  }

  /**
   * Claims a chunk of an announced message for the caller to receive.
   *
   * @param from where in the message the chunk begins
   * @param bytes the length of the chunk
   * @return the objection to the chunk for an error message; null where the caller has claimed it
   */
  public @Nullable String claim(long number, long from, int bytes) {
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
      // While a chunk can be claimed both values belong to that message. Otherwise the slot may
      // have
      // been posted again, and they are another message's.
      VarHandle.acquireFence();
      if ((long) CLAIMS.getOpaque(this) != seen) {
        continue;
      }
      if (from < 0 || from >= whole || from % each != 0) {
        return ErrorText.of("its %d bytes come in chunks of %d", whole, each);
      }
      if (bytes != Math.min(each, whole - from)) {
        return ErrorText.of(
            "that chunk of its %d bytes has %d", whole, Math.min(each, whole - from));
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

  /** Counts a claimed chunk as arrived. */
  public void chunkArrived() {
    LEFT.getAndAddRelease(this, -1);
  }

  /** Returns whether all chunks have arrived, with their bytes visible to the caller. */
  public boolean hasAllChunks() {
    return (int) LEFT.getAcquire(this) == 0;
  }
}
