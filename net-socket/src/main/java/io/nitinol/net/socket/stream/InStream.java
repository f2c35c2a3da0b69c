// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.net.socket.request.AnnouncedMessages;
import io.nitinol.net.socket.request.SocketRequest;
import io.nitinol.net.socket.wire.BufferPool;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.net.socket.wire.Wire;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A data stream on the receiving side. It reads chunks straight into the memory of the messages to
 * which they belong, once the message is announced on the control stream and has a receive. Until
 * then the header of the chunk waits, and nothing behind it is read.
 */
public final class InStream extends DataStream {
  private final AnnouncedMessages announced;

  /** The chunk being read, whose header is complete; null: none. */
  private @Nullable SocketRequest message;

  private @Nullable SocketMemory memory;
  private long start;
  private int length;
  private int done;
  private volatile boolean ended;

  /** The last message for which a chunk came before it was announced; -1 for none. */
  private volatile long early = -1;

  /**
   * Takes over a connected stream.
   *
   * @param lane the number of its buffers in a {@link SocketMemory}
   * @param buffers buffers of {@link ChunkHeader#HEADER} bytes
   */
  public InStream(Wire wire, int lane, AnnouncedMessages announced, BufferPool buffers) {
    super(wire, lane, buffers);
    this.announced = announced;
    buffer.limit(ChunkHeader.HEADER);
  }

  /**
   * Returns whether no more chunk comes for the first {@code messages} messages, all that are
   * announced: a sender assigns chunks in the order of its messages. For the thread that drives the
   * comm.
   */
  public boolean isPast(long messages) {
    return ended || early >= messages;
  }

  @Override
  int move() throws IOException {
    int moved = 0;
    while (moved < largestCall) {
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
        if (wire.isBackingOff()) {
          return moved;
        }
        SocketMemory target = Objects.requireNonNull(memory, "memory of a chunk");
        checkRegistered(target);
        int wanted = Math.min(length - done, largestCall);
        buffer.limit(done + wanted == length ? ChunkHeader.HEADER : 0).position(0);
        int came = wire.read(target, lane, start + done, wanted, buffer);
        if (came < 0) {
          throw new EOFException("closed by the peer");
        }
        done += Math.min(came, wanted);
        moved += came;
        if (came < wanted) {
          wire.backOff(length - done);
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

  /** Finds the message of the chunk; returns false where it has not been announced yet. */
  private boolean begin() {
    int mark = ChunkHeader.mark(buffer);
    long number = ChunkHeader.message(buffer);
    long offset = ChunkHeader.offset(buffer);
    int size = ChunkHeader.length(buffer);
    if (mark != ChunkHeader.MARK) {
      throw unexpected("its mark is 0x" + Integer.toHexString(mark), number, offset, size);
    }
    if (number < 0 || number > announced.count() + AnnouncedMessages.FARTHEST) {
      throw unexpected(
          "the last message announced is " + (announced.count() - 1), number, offset, size);
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
      throw unexpected(objection, number, offset, size);
    }
    memory = Objects.requireNonNull(candidate.memory, "memory of a message in flight");
    start = candidate.offset + offset;
    length = size;
    done = 0;
    message = candidate;
    return true;
  }

  private NetException unexpected(String why, long number, long offset, int size) {
    return new NetException(
        ResultCode.REMOTE_ERROR,
        ErrorText.of(
            "%s: data stream %d is out of step: a chunk of %d bytes from %d of message %d, but %s",
            wire.label(), lane, size, offset, number, why));
  }

  @Override
  boolean isBusy() {
    return !ended && announced.isOpen(); // and so is the message of a chunk that has begun
  }

  @Override
  String occupation() {
    return message == null
        ? "while awaiting a chunk on data stream " + lane
        : ErrorText.of(
            "while receiving a chunk on data stream %d, %d of %d bytes came", lane, done, length);
  }
}
