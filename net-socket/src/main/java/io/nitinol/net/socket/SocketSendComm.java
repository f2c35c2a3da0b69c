// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.net.SendComm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sending end. On the control stream, headers and payloads go through a staging buffer in the
 * order of the queue, so that a header and its payload, and several small messages, leave in one
 * write; what does not fit of a larger message is then written straight from the registered memory.
 * Where there are data streams, the payload of a large message goes over them, in chunks each of
 * which goes to the stream that has least to do. A request is complete once the kernel has taken
 * its last byte.
 */
final class SocketSendComm extends SocketComm implements SendComm {
  /** The size of the staging buffer. */
  static final int STAGING = 128 << 10;

  /**
   * Messages up to this size are staged as a whole where a header and its memory do not leave with
   * one call otherwise: a copy costs less than a second write.
   */
  private static final int WHOLE = 64 << 10;

  /** Messages up to this size are staged elsewhere, so that several of them leave with one call. */
  private static final int WHOLE_GATHERED = 8 << 10;

  /**
   * How much of a larger message goes with its header: staged behind it where one call takes only
   * one of the two, so that no tiny packet leaves; and from its memory for a {@link #LARGE} one.
   */
  private static final int PREFIX = 8 << 10;

  /**
   * From this size on the first call takes no more than the prefix. The peer is at work sooner; at
   * 1 MiB that is worth a sixth of the rate, below 256 KiB nothing.
   */
  private static final int LARGE = 256 << 10;

  private static final int LARGEST_WRITE = 1 << 20;

  private final ByteBuffer staging;
  private final MemorySegment staged;
  private final int whole;
  private final int prefix;
  // The staged bytes that the kernel has not taken are those from stagedStart to stagedEnd.
  private int stagedStart;
  private int stagedEnd;

  // How many requests have been staged, at least by their header; the number of the next one.
  private long stagedRequests;
  // The message whose rest is written from its memory, behind all that is staged; and how far it
  // is.
  private @Nullable SocketRequest direct;
  private long directDone;

  // Positions in the stream since the connection exists: what has been staged or is being written
  // directly, and what the wire has taken, which it may hold back until it is flushed.
  private long streamQueued;
  private long streamTaken;

  private final DataStreams streams;
  private final OutStream[] outs;
  private final int minTask;
  private final int inline;

  // The message whose chunks are being assigned, or the first that may have any; and how far it is.
  private long cutNumber;
  private long cutDone;
  private int nextStream;

  /**
   * Takes over connected streams.
   *
   * @param threads how many threads of the comm's own work the data streams
   */
  SocketSendComm(Wire control, Wire[] data, int threads) {
    super(control, data);
    SocketNet plugin = wire.device().plugin();
    SocketOptions options = plugin.options();
    minTask = options.minTask();
    inline = options.inline();
    staging = plugin.stagingBuffers.take();
    staged = MemorySegment.ofBuffer(staging.clear());
    whole = wire.isGathering() ? WHOLE_GATHERED : WHOLE;
    prefix = wire.isGathering() ? 0 : PREFIX;
    outs = new OutStream[data.length];
    for (int i = 0; i < data.length; i++) {
      outs[i] = new OutStream(data[i], 1 + i);
    }
    streams = new DataStreams("Socket-send", outs, threads, options.spinNanos());
  }

  /** Posts a message and sends what can be sent of it at once. */
  @Nullable SocketRequest isend(SocketMemory memory, long offset, long length, int tag) {
    SocketRequest request = post(memory, offset, length, tag);
    if (request != null) {
      progress();
    }
    return request;
  }

  @Override
  void move() throws IOException {
    moveControl();
    if (outs.length == 0) {
      return;
    }
    streams.check();
    int moved;
    long sum = 0;
    do {
      cut();
      moved = streams.work();
      sum += moved;
      for (OutStream out : outs) {
        out.reap();
      }
      completeTaken();
    } while (moved > 0 && sum < BYTES_PER_CALL);
  }

  /** Assigns chunks as long as there is a stream that takes one. */
  private void cut() {
    while (cutNumber < stagedRequests) {
      SocketRequest message = ring.get(cutNumber);
      if (message.chunk == 0 || cutDone == message.length) {
        cutNumber++;
        cutDone = 0;
        continue;
      }
      int to = idlest();
      if (to < 0) {
        return;
      }
      int length = (int) Math.min(message.chunk, message.length - cutDone);
      outs[to].assign(message, cutNumber, cutDone, length);
      streams.wake(to);
      cutDone += length;
      nextStream = to + 1;
    }
  }

  /** Returns the stream with the fewest chunks that has room for one more, or -1. */
  private int idlest() {
    int found = -1;
    int least = OutStream.DEPTH;
    for (int i = 0; i < outs.length && least > 0; i++) {
      int index = (nextStream + i) % outs.length;
      OutStream out = outs[index];
      int load = out.load();
      if (load < least && out.hasRoom()) {
        found = index;
        least = load;
      }
    }
    return found;
  }

  private void moveControl() throws IOException {
    if (!wire.flush()) {
      return;
    }
    completeTaken();
    for (long moved = 0; moved < BYTES_PER_CALL; ) {
      stage();
      int ofStaged = stagedEnd - stagedStart;
      int ofMessage = direct == null ? 0 : nextOf(direct);
      int wanted = ofStaged + ofMessage;
      if (wanted == 0 || wire.rests()) {
        return;
      }
      int taken = write(ofMessage);
      streamTaken += taken;
      if (!wire.flush()) {
        return; // what has been taken is complete once the kernel has it
      }
      completeTaken();
      if (taken < wanted) {
        wire.rest(LARGE); // the kernel's buffer is full
        return;
      }
      moved += taken;
    }
  }

  /** Returns how many bytes of the message that goes directly the next call takes. */
  private int nextOf(SocketRequest message) {
    boolean begins = directDone == 0 && message.length >= LARGE;
    return (int) Math.min(message.length - directDone, begins ? PREFIX : LARGEST_WRITE);
  }

  /**
   * Writes what is staged, and behind it {@code length} bytes of the message that goes directly.
   */
  private int write(int length) throws IOException {
    int before = stagedStart;
    SocketRequest message = direct;
    staging.limit(stagedEnd).position(before);
    int taken =
        message == null
            ? wire.write(staging)
            : wire.write(staging, memory(message), 0, message.offset + directDone, length);
    stagedStart = staging.position();
    directDone += taken - (stagedStart - before);
    if (stagedStart == stagedEnd) {
      stagedStart = 0;
      stagedEnd = 0;
    }
    if (message != null && directDone == message.length) {
      direct = null;
    }
    return taken;
  }

  /** Stages as much as there is room for, up to the first message that goes on directly. */
  private void stage() {
    while (direct == null && stagedRequests < ring.posted()) {
      SocketRequest message = ring.get(stagedRequests);
      if (outs.length > 0 && message.length > inline) {
        if (STAGING - stagedEnd < ControlHeader.CUT_HEADER) {
          return;
        }
        message.chunk = Chunks.size(message.length, outs.length, minTask);
        message.chunksLeft = (int) Chunks.count(message.length, message.chunk);
        ControlHeader.writeCut(
            staging.limit(STAGING), stagedEnd, message.tag, message.length, message.chunk);
        stagedEnd += ControlHeader.CUT_HEADER;
        streamQueued += ControlHeader.CUT_HEADER;
        message.end = streamQueued;
        stagedRequests++;
        continue;
      }
      message.chunk = 0;
      message.chunksLeft = 0;
      int room = STAGING - stagedEnd - ControlHeader.HEADER;
      int part = (int) (message.length <= whole ? message.length : prefix);
      if (part > room) {
        return; // it fits once what is staged has been taken
      }
      ControlHeader.write(staging.limit(STAGING), stagedEnd, message.tag, message.length);
      stagedEnd += ControlHeader.HEADER;
      if (part > 0) {
        MemorySegment.copy(memory(message).segment, message.offset, staged, stagedEnd, part);
        stagedEnd += part;
      }
      if (part < message.length) {
        direct = message;
        directDone = part;
      }
      streamQueued += ControlHeader.HEADER + message.length;
      message.end = streamQueued;
      stagedRequests++;
    }
  }

  private void completeTaken() {
    while (ring.completed() < stagedRequests) {
      SocketRequest head = ring.get(ring.completed());
      if (head.end > streamTaken || head.chunksLeft > 0) {
        return;
      }
      ring.completeHead(head.length);
    }
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
      return "with nothing to send";
    }
    String progress =
        head.chunk > 0 && ring.completed() < stagedRequests
            ? head.chunksLeft + " chunks left of " + head.length + " bytes, the rest"
            : ring.completed() < stagedRequests
                ? Math.max(0, head.length - (head.end - streamTaken))
                    + " of "
                    + head.length
                    + " bytes"
                : "0 of " + head.length + " bytes";
    return "while sending message "
        + ring.completed()
        + " (tag "
        + head.tag
        + ", "
        + progress
        + " sent, "
        + inFlight()
        + ")";
  }

  @Override
  void release() {
    wire.device().plugin().stagingBuffers.give(staging);
  }
}
