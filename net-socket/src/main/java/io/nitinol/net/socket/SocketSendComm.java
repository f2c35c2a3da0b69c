// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.config.SocketOptions;
import io.nitinol.net.socket.request.Chunks;
import io.nitinol.net.socket.request.SocketRequest;
import io.nitinol.net.socket.stream.DataStreams;
import io.nitinol.net.socket.stream.OutStream;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.net.socket.wire.Wire;
import io.nitinol.spi.net.SendComm;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a comm. On the control stream, headers and payloads go through a staging
 * buffer in the order of the queue, so that a header and its payload, and several small messages,
 * leave in one write. The rest of a larger message is then written straight from the registered
 * memory. With data streams, a large message goes over them in chunks, each to the stream that has
 * least to do. A request is complete once the kernel has taken its last byte.
 */
@OneThread
final class SocketSendComm extends SocketComm implements SendComm {
  /** The size of the staging buffer. */
  static final int STAGING = 128 << 10;

  /**
   * Messages up to this size are staged as a whole where the wire cannot send a header and its
   * memory with one call: a copy costs less than a second write.
   */
  private static final int WHOLE = 64 << 10;

  /** Messages up to this size are staged on other wires, so that several leave with one call. */
  private static final int WHOLE_GATHERED = 8 << 10;

  /**
   * How many bytes of a larger message go with its header, so that no tiny packet leaves. They are
   * staged where the wire cannot send both with one call; a {@link #LARGE} message sends them from
   * its memory.
   */
  private static final int PREFIX = 8 << 10;

  /**
   * From this size on the first call takes no more than the prefix, so that the peer begins sooner.
   * At 1 MiB that is worth a sixth of the rate, below 256 KiB nothing.
   */
  private static final int LARGE = 256 << 10;

  private static final int LARGEST_WRITE = 1 << 20;

  private final ByteBuffer staging;
  private final MemorySegment staged;
  private final int largestWrite;
  private final int whole;
  private final int prefix;
  // The staged bytes that the kernel has not taken are those from stagedStart to stagedEnd.
  private int stagedStart;
  private int stagedEnd;

  // How many requests have been staged, or at least their header; also the number of the next one.
  private long stagedRequests;
  // The message whose rest is written from its memory, behind the staged bytes; and how many of its
  // bytes have been sent.
  private @Nullable SocketRequest direct;
  private long directDone;

  // Positions in the stream since the connection exists: the end of the bytes that have been staged
  // or are being written directly, and of those that the wire has taken. It may hold some of them
  // back until it is flushed.
  private long streamQueued;
  private long streamTaken;

  private final DataStreams streams;
  private final OutStream[] outs;
  private final int minTask;
  private final int inline;

  // The message whose chunks are being assigned, or the first that may have some; and how many of
  // its
  // bytes have been assigned.
  private long cutNumber;
  private long cutDone;
  private int nextStream;

  /**
   * Takes over connected streams.
   *
   * @param threads how many threads may help with the data streams
   */
  SocketSendComm(Wire control, Wire[] data, int threads, SocketOptions options, SocketPools pools) {
    super(control, data, pools);
    minTask = options.minTask();
    inline = options.inline();
    staging = pools.staging.take();
    staged = MemorySegment.ofBuffer(staging.clear());
    largestWrite = Math.min(LARGEST_WRITE, bytesPerCall);
    whole = wire.isGathering() ? WHOLE_GATHERED : WHOLE;
    prefix = wire.isGathering() ? 0 : PREFIX;
    outs = new OutStream[data.length];
    for (int i = 0; i < data.length; i++) {
      outs[i] = new OutStream(data[i], 1 + i, pools.chunks);
    }
    streams = new DataStreams(outs, threads, options.spinNanos());
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
    long sum = moveControl();
    if (outs.length == 0) {
      return;
    }
    streams.check();
    long moved;
    do {
      cut();
      moved = streams.work(Math.max(1, bytesPerCall - sum));
      sum += moved;
      for (OutStream out : outs) {
        out.reap();
      }
      completeTaken();
    } while (moved > 0 && sum < bytesPerCall);
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
      streams.wake(to, message.length);
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

  /** Writes to the control stream; returns how many bytes the wire has taken. */
  private long moveControl() throws IOException {
    if (!wire.flush()) {
      return 0;
    }
    completeTaken();
    long moved = 0;
    while (moved < bytesPerCall) {
      stage();
      int ofStaged = stagedEnd - stagedStart;
      int ofMessage = direct == null ? 0 : nextOf(direct);
      int wanted = ofStaged + ofMessage;
      if (wanted == 0 || wire.isBackingOff()) {
        return moved;
      }
      int taken = write(ofMessage);
      streamTaken += taken;
      moved += taken;
      if (!wire.flush()) {
        return moved; // messages are complete once the kernel has them
      }
      completeTaken();
      if (taken < wanted) {
        wire.backOff(LARGE); // the kernel's buffer is full
        return moved;
      }
    }
    return moved;
  }

  /** Returns how many bytes the next call takes of the message that goes directly. */
  private int nextOf(SocketRequest message) {
    boolean begins = directDone == 0 && message.length >= LARGE;
    return (int) Math.min(message.length - directDone, begins ? PREFIX : largestWrite);
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
        return; // it fits once the wire has taken the staged bytes
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
    boolean isStaged = ring.completed() < stagedRequests;
    String progress =
        isStaged && head.chunk > 0
            ? ErrorText.of("%d chunks left of %d bytes, the rest", head.chunksLeft, head.length)
            : ErrorText.of(
                "%d of %d bytes",
                isStaged ? Math.max(0, head.length - (head.end - streamTaken)) : 0L, head.length);
    return ErrorText.of(
        "while sending message %d (tag %d, %s sent, %s)",
        ring.completed(), head.tag, progress, inFlight());
  }

  @Override
  void release() {
    pools.staging.give(staging);
  }
}
