// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A data stream on the receiving side: reads chunks into the memory of the messages to which they
 * belong, straight, once the message is announced on the control stream and a receive is posted for
 * it. Until then the chunk's header, which may come with the chunk before it, waits, and nothing
 * behind it is read.
 */
final class InStream extends DataStream {
  private final AnnouncedMessages announced;

  /** The chunk being read, whose header is complete; null: none. */
  private @Nullable SocketRequest message;

  private @Nullable SocketMemory memory;
  private long start;
  private int length;
  private int done;
  private volatile boolean ended;

  /** The last message that a chunk came for before it was announced; -1 for none. */
  private volatile long early = -1;

  InStream(Wire wire, int lane, AnnouncedMessages announced) {
    super(wire, lane, wire.device().plugin().headerBuffers);
    this.announced = announced;
    buffer.limit(ChunkHeader.HEADER);
  }

  /** Returns whether the peer has closed the stream, between two chunks. Any thread. */
  boolean hasEnded() {
    return ended;
  }

  /**
   * Returns whether nothing more comes for any of the first {@code messages} messages, all that are
   * announced. A sender gives out chunks in the order of its messages. The driver.
   */
  boolean isPast(long messages) {
    return ended || early >= messages;
  }

  @Override
  int move() throws IOException {
    int moved = 0;
    while (moved < LARGEST_CALL) {
      SocketRequest current = message;
      if (current == null) {
        if (!isBusy()) {
          return moved;
        }
        if (buffer.hasRemaining()) {
          int came = wire.read(buffer);
          if (came < 0) {
            if (buffer.position() > 0) {
              throw new EOFException("closed by the peer");
            }
            ended = true;
            return moved;
          }
          moved += came;
        }
        if (buffer.hasRemaining() || !begin()) {
          return moved;
        }
        continue;
      }
      if (done < length) {
        if (wire.rests()) {
          return moved;
        }
        SocketMemory target = Objects.requireNonNull(memory, "memory of a chunk");
        checkRegistered(target);
        int wanted = Math.min(length - done, LARGEST_CALL);
        buffer.limit(done + wanted == length ? ChunkHeader.HEADER : 0).position(0);
        int came = wire.read(target, lane, start + done, wanted, buffer);
        if (came < 0) {
          throw new EOFException("closed by the peer");
        }
        done += Math.min(came, wanted);
        moved += came;
        if (came < wanted) {
          wire.rest(length - done);
          return moved;
        }
      }
      if (done == length) {
        message = null;
        memory = null;
        current.chunkArrived();
      }
    }
    return moved;
  }

  /** Looks whose the chunk is; returns false where that is not known yet. */
  private boolean begin() {
    int mark = ChunkHeader.mark(buffer);
    long number = ChunkHeader.message(buffer);
    long offset = ChunkHeader.offset(buffer);
    int size = ChunkHeader.length(buffer);
    if (mark != ChunkHeader.MARK) {
      throw lie("its mark is 0x" + Integer.toHexString(mark), number, offset, size);
    }
    if (number < 0 || number > announced.count() + AnnouncedMessages.FARTHEST) {
      throw lie("the last message announced is " + (announced.count() - 1), number, offset, size);
    }
    if (number >= announced.count()) {
      if (early != number) {
        early = number;
      }
      return false;
    }
    SocketRequest candidate = announced.get(number);
    String objection = candidate.claim(number, offset, size);
    if (objection != null) {
      throw lie(objection, number, offset, size);
    }
    memory = Objects.requireNonNull(candidate.memory, "memory of a message in flight");
    start = candidate.offset + offset;
    length = size;
    done = 0;
    message = candidate;
    return true;
  }

  private NetException lie(String why, long number, long offset, int size) {
    return new NetException(
        ResultCode.REMOTE_ERROR,
        wire.label()
            + ": data stream "
            + lane
            + " is out of step: a chunk of "
            + size
            + " bytes from "
            + offset
            + " of message "
            + number
            + ", but "
            + why);
  }

  @Override
  boolean isBusy() {
    return !ended && (message != null || announced.isOpen());
  }

  @Override
  int interest() {
    // A complete header waits for the driver of the comm, not for the network.
    return message == null && !buffer.hasRemaining() ? 0 : SelectionKey.OP_READ;
  }

  @Override
  String occupation() {
    return message == null
        ? "while awaiting a chunk on data stream " + lane
        : "while receiving a chunk on data stream "
            + lane
            + ", "
            + done
            + " of "
            + length
            + " bytes came";
  }
}
