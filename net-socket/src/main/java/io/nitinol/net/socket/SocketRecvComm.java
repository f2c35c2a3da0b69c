// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.config.SocketOptions;
import io.nitinol.net.socket.request.AnnouncedMessages;
import io.nitinol.net.socket.request.Chunks;
import io.nitinol.net.socket.request.SocketRequest;
import io.nitinol.net.socket.stream.DataStreams;
import io.nitinol.net.socket.stream.InStream;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.net.socket.wire.Wire;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The receiving end of a comm. On the control stream, headers and small payloads come through a
 * read-ahead buffer, many of them with one read. The rest of a larger payload is read straight into
 * the registered memory. After a large message only a header is read ahead, so that another large
 * payload is not copied.
 *
 * <p>Nothing is read while no receive is posted, so that a receiver that lags behind slows its
 * sender down. Posting a receive reads nothing either, since the message is rarely there yet and
 * the call costs a microsecond.
 *
 * <p>With data streams, the payloads of large messages come in chunks on these, in any order;
 * messages are still complete in the order of the receives.
 */
@OneThread
final class SocketRecvComm extends SocketComm implements RecvComm {
  /** The size of the read-ahead buffer. */
  static final int AHEAD = 64 << 10;

  /** Less than this of a payload is read into the read-ahead buffer, with the bytes behind it. */
  private static final int SMALL = 16 << 10;

  private static final int LARGEST_READ = 1 << 20;

  private final ByteBuffer ahead;
  private final MemorySegment bytes;
  // The bytes read and not yet used are those from aheadStart to aheadEnd.
  private int aheadStart;
  private int aheadEnd;

  // The current message of the control stream: its number, whether its header has come, its length,
  // and how many of its bytes have come.
  private long current;
  private boolean begun;
  private long length;
  private long done;
  private boolean largeBefore;

  private final DataStreams streams;
  private final InStream[] ins;
  private final AnnouncedMessages announced;

  /** How many of the messages before {@link #current} lack chunks. */
  private long open;

  /** Whether the control stream has ended while messages lacked chunks, which may still come. */
  private boolean controlEnded;

  /**
   * Takes over connected streams.
   *
   * @param threads how many threads may help with the data streams
   */
  SocketRecvComm(Wire control, Wire[] data, int threads, SocketOptions options, SocketPools pools) {
    super(control, data, pools);
    ahead = pools.ahead.take();
    bytes = MemorySegment.ofBuffer(ahead.clear());
    announced = new AnnouncedMessages(ring);
    ins = new InStream[data.length];
    for (int i = 0; i < data.length; i++) {
      ins[i] = new InStream(data[i], 1 + i, announced, pools.headers);
    }
    streams = new DataStreams(ins, threads, options.spinNanos());
  }

  @Override
  void move() throws IOException {
    if (ins.length == 0) {
      moveControl();
      return;
    }
    streams.check();
    long moved;
    long sum = 0;
    do {
      sum += moveControl();
      moved = streams.work(Math.max(1, bytesPerCall - sum));
      sum += moved;
      completeArrived();
    } while (moved > 0 && sum < bytesPerCall);
    if (open > 0 && areAllPast()) {
      completeArrived(); // the last chunks may have come since
      if (open > 0) {
        throw new EOFException("closed by the peer, or gone on, before all chunks had come");
      }
    }
  }

  /** Returns whether no data stream brings more chunks of the messages announced so far. */
  private boolean areAllPast() {
    for (InStream in : ins) {
      if (!in.isPast(current)) {
        return false;
      }
    }
    return true;
  }

  /** Reads from the control stream; returns how many bytes came. */
  private long moveControl() throws IOException {
    long moved = 0;
    while (moved < bytesPerCall) {
      if (current == ring.posted()) {
        return moved;
      }
      SocketRequest head = ring.get(current);
      int came;
      long awaited;
      if (!begun) {
        if (aheadEnd - aheadStart >= headerSize()) {
          begin(head);
          continue;
        }
        awaited = largeBefore ? head.length : 0;
        if (awaited >= SMALL && wire.isBackingOff()) {
          return moved;
        }
        came =
            controlEnded
                ? -1
                : readAhead(
                    awaited >= SMALL ? Math.max(ControlHeader.HEADER, headerSize()) : AHEAD);
      } else {
        copyAhead(head);
        long rest = length - done;
        if (rest == 0) {
          begun = false;
          next();
          completeArrived();
          continue;
        }
        awaited = rest;
        if (awaited >= SMALL && wire.isBackingOff()) {
          return moved;
        }
        came =
            rest < SMALL && !(largeBefore && wire.isGathering())
                ? readAhead(largeBefore ? (int) rest + ControlHeader.HEADER : AHEAD)
                : readDirect(head, rest);
      }
      if (came < 0) {
        if (open > 0 && !begun && aheadStart == aheadEnd) {
          controlEnded = true;
          return moved;
        }
        throw new EOFException("closed by the peer");
      }
      if (came == 0) {
        if (awaited >= SMALL) {
          wire.backOff(awaited);
        }
        return moved;
      }
      moved += came;
    }
    return moved;
  }

  /** Goes on to the next message of the control stream; chunks of the last may now be claimed. */
  private void next() {
    current++;
    if (ins.length > 0) {
      announced.publish(current, open);
    }
  }

  /** Completes requests in order, up to the first that is not there as a whole. */
  private void completeArrived() {
    boolean closedOne = false;
    while (ring.completed() < current) {
      SocketRequest head = ring.get(ring.completed());
      if (!head.hasAllChunks()) {
        break;
      }
      if (head.chunk > 0) {
        open--;
        closedOne = true;
      }
      ring.completeHead(head.size);
    }
    if (closedOne) {
      announced.publish(current, open);
    }
  }

  /** Returns the size of the next header as far as it is known. */
  private int headerSize() {
    return aheadEnd - aheadStart >= ControlHeader.HEADER
            && ControlHeader.mark(ahead.limit(aheadEnd), aheadStart) == ControlHeader.CUT_MARK
        ? ControlHeader.CUT_HEADER
        : ControlHeader.HEADER;
  }

  /** Takes the header of the next message and checks that the message fits the posted receive. */
  private void begin(SocketRequest head) {
    ahead.limit(aheadEnd);
    int mark = ControlHeader.mark(ahead, aheadStart);
    int tag = ControlHeader.tag(ahead, aheadStart);
    length = ControlHeader.length(ahead, aheadStart);
    boolean cut = mark == ControlHeader.CUT_MARK && ins.length > 0;
    if ((mark != ControlHeader.MARK && !cut) || length < 0) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "%s: the stream is out of step: a header with mark 0x%x and length %d where 0x%x and a"
                  + " length from 0 were expected, %s",
              wire.label(), mark, length, ControlHeader.MARK, occupation()));
    }
    if (length > head.length) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: the peer sent a message of %d bytes (tag %d) where a receive of %d bytes (tag %d)"
                  + " is posted: do all ranks call the same collectives with the same counts and"
                  + " variables?",
              wire.label(), length, tag, head.length, head.tag));
    }
    if (cut) {
      announce(head);
      return;
    }
    aheadStart += ControlHeader.HEADER;
    begun = true;
    done = 0;
    largeBefore = length >= SMALL;
    head.size = length;
    head.chunk = 0;
    head.chunksLeft = 0;
    if (ins.length > 0) {
      head.refuseChunks(current);
    }
  }

  /** Lets the chunks of a message be claimed. */
  private void announce(SocketRequest head) {
    long chunk = ControlHeader.chunk(ahead, aheadStart);
    if (chunk < 1 || Chunks.count(length, chunk) > Chunks.MOST || length == 0) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "%s: the peer announced a message of %d bytes in chunks of %d where 1 to %d chunks were"
                  + " expected, %s",
              wire.label(), length, chunk, Chunks.MOST, occupation()));
    }
    aheadStart += ControlHeader.CUT_HEADER;
    largeBefore = false;
    head.announce(current, length, chunk);
    open++;
    next();
    streams.wakeAll(length);
  }

  /** Copies the bytes of the current payload that are in the read-ahead buffer to its memory. */
  private void copyAhead(SocketRequest head) {
    int part = (int) Math.min(aheadEnd - aheadStart, length - done);
    if (part > 0) {
      MemorySegment.copy(bytes, aheadStart, memory(head).segment, head.offset + done, part);
      aheadStart += part;
      done += part;
    }
  }

  /** Reads into the read-ahead buffer until it holds at most {@code target} bytes. */
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

  /**
   * Reads into the memory of the message and, behind it, the next header; the read-ahead buffer is
   * empty.
   */
  private int readDirect(SocketRequest head, long rest) throws IOException {
    int part = (int) Math.min(rest, LARGEST_READ);
    ahead.limit(part == rest ? ControlHeader.HEADER : 0).position(0);
    int came = wire.read(memory(head), 0, head.offset + done, part, ahead);
    done += Math.min(Math.max(0, came), part);
    if (came < part) {
      wire.backOff(rest - Math.max(0, came)); // the kernel had no more
    }
    aheadStart = 0;
    aheadEnd = ahead.position();
    return came;
  }

  private SocketMemory memory(SocketRequest message) {
    SocketMemory memory = Objects.requireNonNull(message.memory, "memory of a queued message");
    checkRegistered(memory);
    return memory;
  }

  @Override
  DataStreams streams() {
    return streams;
  }

  @Override
  String occupation() {
    SocketRequest head = ring.head();
    if (head == null) {
      return "with nothing to receive";
    }
    String progress;
    if (ring.completed() < current) {
      progress =
          ErrorText.of("%d chunks of its %d bytes have not come", head.chunksLeft, head.size);
    } else if (begun) {
      progress = ErrorText.of("%d of %d bytes came", done, length);
    } else {
      progress = "not begun, room for " + head.length;
    }
    return ErrorText.of(
        "while receiving message %d (tag %d, %s, %s)",
        ring.completed(), head.tag, progress, inFlight());
  }

  @Override
  void release() {
    pools.ahead.give(ahead);
  }
}
