// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.RecvComm;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The receiving end. On the control stream, headers and small payloads come through a read-ahead
 * buffer, many of them with one read; the rest of a larger payload is read straight into the
 * registered memory. After a large message only a header is read ahead, so that a payload like it
 * is not copied. Nothing is read while no receive is posted, so that a receiver that lags behind
 * slows its sender down; posting a receive reads nothing either, since the message is rarely there
 * yet and the call costs a microsecond. The payloads of large messages come in chunks on the data
 * streams, where there are any, in whatever order; messages are complete in the order of the
 * receives all the same.
 */
final class SocketRecvComm extends SocketComm implements RecvComm {
  /** The size of the read-ahead buffer. */
  static final int AHEAD = 64 << 10;

  /** Of a payload, less than this is awaited in the read-ahead buffer, with what follows it. */
  private static final int SMALL = 16 << 10;

  private static final int LARGEST_READ = 1 << 20;

  private final ByteBuffer ahead;
  private final MemorySegment bytes;
  // The bytes read and not yet used are those from aheadStart to aheadEnd.
  private int aheadStart;
  private int aheadEnd;

  // The message that the control stream is at: its number, whether its header has come, its length,
  // how far it is.
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
   * @param threads how many threads of the comm's own work the data streams
   */
  SocketRecvComm(Wire control, Wire[] data, int threads) {
    super(control, data);
    SocketNet plugin = wire.device().plugin();
    ahead = plugin.aheadBuffers.take();
    bytes = MemorySegment.ofBuffer(ahead.clear());
    announced = new AnnouncedMessages(ring);
    ins = new InStream[data.length];
    for (int i = 0; i < data.length; i++) {
      ins[i] = new InStream(data[i], 1 + i, announced);
    }
    streams = new DataStreams("Socket-recv", ins, threads, plugin.options().spinNanos());
  }

  @Override
  void move() throws IOException {
    if (ins.length == 0) {
      moveControl();
      return;
    }
    streams.check();
    int moved;
    long sum = 0;
    do {
      moveControl();
      moved = streams.work();
      sum += moved;
      completeArrived();
    } while (moved > 0 && sum < BYTES_PER_CALL);
    if (open > 0 && areAllPast()) {
      completeArrived(); // what came last was there before
      if (open > 0) {
        throw new EOFException("closed by the peer, or gone on, before all chunks had come");
      }
    }
  }

  /** Returns whether no data stream brings anything more for the messages announced so far. */
  private boolean areAllPast() {
    for (InStream in : ins) {
      if (!in.isPast(current)) {
        return false;
      }
    }
    return true;
  }

  private void moveControl() throws IOException {
    for (long moved = 0; moved < BYTES_PER_CALL; ) {
      if (current == ring.posted()) {
        return;
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
        if (awaited >= SMALL && wire.rests()) {
          return;
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
        if (awaited >= SMALL && wire.rests()) {
          return;
        }
        came =
            rest < SMALL && !(largeBefore && wire.isGathering())
                ? readAhead(largeBefore ? (int) rest + ControlHeader.HEADER : AHEAD)
                : readDirect(head, rest);
      }
      if (came < 0) {
        if (open > 0 && !begun && aheadStart == aheadEnd) {
          controlEnded = true;
          return;
        }
        throw new EOFException("closed by the peer");
      }
      if (came == 0) {
        if (awaited >= SMALL) {
          wire.rest(awaited);
        }
        return;
      }
      moved += came;
    }
  }

  /** Goes on to the next message on the control stream, and lets chunks of the last be claimed. */
  private void next() {
    current++;
    if (ins.length > 0) {
      announced.tell(current, open);
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
      announced.tell(current, open);
    }
  }

  /** Returns the size of the header at hand as far as that is known. */
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
          wire.label()
              + ": the stream is out of step: a header with mark 0x"
              + Integer.toHexString(mark)
              + " and length "
              + length
              + " where 0x"
              + Integer.toHexString(ControlHeader.MARK)
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

  /** Takes note of a message that comes in chunks. */
  private void announce(SocketRequest head) {
    long chunk = ControlHeader.chunk(ahead, aheadStart);
    if (chunk < 1 || Chunks.count(length, chunk) > Chunks.MOST || length == 0) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          wire.label()
              + ": the peer announced a message of "
              + length
              + " bytes in chunks of "
              + chunk
              + " where 1 to "
              + Chunks.MOST
              + " chunks were expected, "
              + occupation());
    }
    aheadStart += ControlHeader.CUT_HEADER;
    largeBefore = false;
    head.announce(current, length, chunk);
    open++;
    next();
    streams.wakeAll();
  }

  /** Moves what is in the read-ahead buffer of the current payload to where it belongs. */
  private void copyAhead(SocketRequest head) {
    int part = (int) Math.min(aheadEnd - aheadStart, length - done);
    if (part > 0) {
      MemorySegment.copy(bytes, aheadStart, memory(head).segment, head.offset + done, part);
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

  /** Reads on into the memory of the message and, behind it, the next header; none is there yet. */
  private int readDirect(SocketRequest head, long rest) throws IOException {
    int part = (int) Math.min(rest, LARGEST_READ);
    ahead.limit(part == rest ? ControlHeader.HEADER : 0).position(0);
    int came = wire.read(memory(head), 0, head.offset + done, part, ahead);
    done += Math.min(Math.max(0, came), part);
    if (came < part) {
      wire.rest(rest - Math.max(0, came)); // that was all there is
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
    if (ring.completed() < current) {
      return "while receiving message "
          + ring.completed()
          + " (tag "
          + head.tag
          + ", "
          + head.chunksLeft
          + " chunks of its "
          + head.size
          + " bytes have not come, "
          + inFlight()
          + ")";
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
