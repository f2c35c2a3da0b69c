// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.memory;

import io.nitinol.core.CommException;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;

/** The receiving end of a {@link SlotRing}. */
final class MemoryReceive implements ReceiveConnector {
  private final int peer;
  private final SlotRing ring;

  /** The message at hand, and how many are known to be there. */
  private long next;

  private long arrived;
  private boolean closed;

  MemoryReceive(int peer, SlotRing ring) {
    this.peer = peer;
    this.ring = ring;
  }

  @Override
  public int peer() {
    return peer;
  }

  @Override
  public int capacity() {
    return ring.capacity();
  }

  @Override
  public int pieceBytes() {
    return ring.pieceBytes();
  }

  @Override
  public void expect(long messages) {
    // The sender writes as far as there are slots, whether they are expected or not.
  }

  @Override
  public boolean ready() {
    if (arrived > next) {
      return true;
    }
    if (!ring.isPosted(next)) {
      return false;
    }
    arrived = next + 1;
    return true;
  }

  @Override
  public boolean seemsReady() {
    return ring.isPosted(next);
  }

  @Override
  public MemorySegment memory() {
    return ring.isLent(next) ? lent().memory(next) : ring.memory();
  }

  @Override
  public long offset() {
    return ring.isLent(next) ? lent().offset(next) : ring.offset(next);
  }

  @Override
  public int size() {
    return ring.bytes(next) + MessageHeader.BYTES;
  }

  @Override
  public long headerWord() {
    return MessageHeader.word(ring.memory(), ring.offset(next));
  }

  @Override
  public long headerCountWord() {
    return MessageHeader.countWord(ring.memory(), ring.offset(next));
  }

  private LentBuffers lent() {
    LentBuffers buffers = ring.lent();
    if (buffers == null) {
      throw new CommException(
          ResultCode.REMOTE_ERROR,
          peer,
          ErrorText.of(
              "rank %s says that message %s lies in its buffer, which no other process can "
                  + "read: what it writes to the memory that it shares is not to be trusted",
              peer, next),
          null);
    }
    return buffers;
  }

  @Override
  public void release() {
    next++;
    ring.release(next);
  }

  @Override
  public void releaseAfter(SendConnector sender, long ticket) {
    throw new IllegalStateException("nothing forwards out of shared memory, not " + sender);
  }

  @Override
  public int progress() {
    return 0;
  }

  @Override
  public boolean needsProgress() {
    return false;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      ring.close();
    }
  }

  @Override
  public String toString() {
    return "from rank " + peer + ": " + next + " consumed";
  }
}
