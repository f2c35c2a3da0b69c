// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.RecvComm;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The receiving end. Headers and small payloads come through a read-ahead buffer, many of them with
 * one read; the rest of a larger payload is read straight into the registered memory. After a large
 * message only a header is read ahead, so that a payload like it is not copied. Nothing is read
 * while no receive is posted, so that a receiver that lags behind slows its sender down; posting a
 * receive reads nothing either, since the message is rarely there yet and the call costs a
 * microsecond.
 */
final class RecvEnd extends CommEnd implements RecvComm {
  /** The size of the read-ahead buffer. */
  static final int AHEAD = 64 << 10;

  /** Of a payload, less than this is awaited in the read-ahead buffer, with what follows it. */
  private static final int SMALL = 16 << 10;

  private static final int LARGEST_READ = 1 << 20;

  private final ByteBuffer ahead;
  // The bytes read and not yet used are those from aheadStart to aheadEnd.
  private int aheadStart;
  private int aheadEnd;

  // The message at the head of the queue: whether its header has come, its length, how far it is.
  private boolean begun;
  private long length;
  private long done;
  private boolean largeBefore;

  RecvEnd(Wire control, Wire[] data, int threads) {
    super(control, data, threads);
    ahead = wire.device().plugin().aheadBuffers.take();
  }

  @Override
  void move() throws IOException {
    for (long moved = 0; moved < BYTES_PER_CALL; ) {
      SocketRequest head = ring.head();
      if (head == null) {
        return;
      }
      int came;
      if (!begun) {
        if (aheadEnd - aheadStart >= Frame.HEADER) {
          begin(head);
          continue;
        }
        came = readAhead(largeBefore && head.length >= SMALL ? Frame.HEADER : AHEAD);
      } else {
        copyAhead(head);
        long rest = length - done;
        if (rest == 0) {
          begun = false;
          ring.completeHead(length);
          continue;
        }
        came =
            rest < SMALL
                ? readAhead(largeBefore ? (int) rest + Frame.HEADER : AHEAD)
                : readDirect(head, rest);
      }
      if (came < 0) {
        throw new EOFException("closed by the peer");
      }
      if (came == 0) {
        return;
      }
      moved += came;
    }
  }

  /** Takes the header of the next message and checks that the message fits the posted receive. */
  private void begin(SocketRequest head) {
    ahead.limit(aheadEnd);
    int mark = Frame.mark(ahead, aheadStart);
    int tag = Frame.tag(ahead, aheadStart);
    length = Frame.length(ahead, aheadStart);
    if (mark != Frame.MARK || length < 0) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          wire.label()
              + ": the stream is out of step: a header with mark 0x"
              + Integer.toHexString(mark)
              + " and length "
              + length
              + " where 0x"
              + Integer.toHexString(Frame.MARK)
              + " and a length from 0 were expected, "
              + occupation());
    }
    if (length > head.length) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          wire.label()
              + ": the peer sent a message of "
              + length
              + " bytes (tag "
              + tag
              + ") where a receive of "
              + head.length
              + " bytes (tag "
              + head.tag
              + ") is posted: do all ranks call the same collectives with the same counts and"
              + " variables?");
    }
    aheadStart += Frame.HEADER;
    begun = true;
    done = 0;
    largeBefore = length >= SMALL;
  }

  /** Moves what is in the read-ahead buffer of the current payload to where it belongs. */
  private void copyAhead(SocketRequest head) {
    int part = (int) Math.min(aheadEnd - aheadStart, length - done);
    if (part > 0) {
      ahead.limit(aheadStart + part).position(aheadStart);
      memory(head).window(head.offset + done, part).put(ahead);
      aheadStart += part;
      done += part;
    }
  }

  /** Reads on into the read-ahead buffer until it holds at most {@code target} bytes. */
  private int readAhead(int target) throws IOException {
    int kept = aheadEnd - aheadStart;
    if (kept == 0) {
      aheadStart = 0;
      aheadEnd = 0;
    } else if (aheadStart + target > AHEAD) {
      ahead.limit(aheadEnd).position(aheadStart);
      ahead.compact();
      aheadStart = 0;
      aheadEnd = kept;
    }
    ahead.limit(aheadStart + target).position(aheadEnd);
    int came = wire.read(ahead);
    aheadEnd += Math.max(0, came);
    return came;
  }

  private int readDirect(SocketRequest head, long rest) throws IOException {
    ByteBuffer window = memory(head).window(head.offset + done, (int) Math.min(rest, LARGEST_READ));
    int came = wire.read(window);
    done += Math.max(0, came);
    return came;
  }

  private Registration memory(SocketRequest message) {
    Registration memory = Objects.requireNonNull(message.memory, "memory of a queued message");
    checkRegistered(memory);
    return memory;
  }

  @Override
  String occupation() {
    SocketRequest head = ring.head();
    if (head == null) {
      return "with nothing to receive";
    }
    return "while receiving message "
        + ring.completed()
        + " (tag "
        + head.tag
        + ", "
        + (begun ? done + " of " + length + " bytes came" : "not begun, room for " + head.length)
        + ", "
        + inFlight()
        + ")";
  }

  @Override
  void release() {
    wire.device().plugin().aheadBuffers.give(ahead);
  }
}
