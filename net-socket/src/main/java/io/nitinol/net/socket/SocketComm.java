// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What both ends of a connection have in common: the requests, the registered memory and the first
 * failure, which every later call repeats. Driven by one thread at a time.
 */
abstract sealed class SocketComm implements Comm permits SocketSendComm, SocketRecvComm {
  /** After how many bytes moved a call returns although more could be done: other comms wait. */
  static final long BYTES_PER_CALL = 4L << 20;

  /** The control stream, which carries everything where there is no other. */
  final Wire wire;

  /** The data streams. */
  final Wire[] data;

  final RequestRing ring = new RequestRing(this);

  private @Nullable NetException failure;
  private boolean closed;

  /** How many streams take buffers that show registered memory: all or none. */
  private final int lanes;

  /** Takes over the control stream and the data streams. */
  SocketComm(Wire control, Wire[] data) {
    this.wire = control;
    this.data = data;
    boolean windows = !control.isGathering();
    for (Wire each : data) {
      windows |= !each.isGathering();
    }
    this.lanes = windows ? 1 + data.length : 0;
  }

  /** Moves data until nothing more can be done now or {@link #BYTES_PER_CALL} have been moved. */
  abstract void move() throws IOException;

  /** Says what the comm was at, for the message of a failure. */
  abstract String occupation();

  /** Returns what works the data streams. */
  abstract DataStreams streams();

  /** Gives back what the end holds besides the connection; it is not used again. */
  abstract void release();

  /** Moves data and keeps the failure, if any, for the calls to come. */
  final void progress() {
    if (failure != null) {
      return;
    }
    try {
      move();
    } catch (IOException | RuntimeException e) {
      fail(WireFailure.of(wire, e, occupation()));
    }
  }

  /** Keeps the first failure and closes the connection at once, so that the peer fails too. */
  private void fail(NetException reason) {
    failure = reason;
    Exception problem = end();
    if (problem != null) {
      reason.addSuppressed(problem);
    }
  }

  /** Ends the threads and closes all streams; returns what went wrong, if anything. */
  private @Nullable Exception end() {
    Exception problem = null;
    boolean quiet = true;
    try {
      streams().end();
    } catch (NetException e) {
      problem = e;
      quiet = false;
    }
    for (int i = -1; i < data.length; i++) {
      Wire each = i < 0 ? wire : data[i];
      try {
        if (quiet) {
          each.close();
        } else {
          each.abandon();
        }
      } catch (IOException e) {
        problem = e;
      }
    }
    return problem;
  }

  final SocketMemory register(Memory memory) {
    checkOpen();
    MemorySegment segment = memory.segment();
    if (memory.type() != PointerType.HOST || segment == null) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "cannot register "
              + memory
              + " with "
              + wire.label()
              + ": the Socket plugin sends and receives HOST memory only");
    }
    return new SocketMemory(this, segment, lanes);
  }

  final void deregister(SocketMemory registration) {
    checkOpen();
    checkOwner(registration);
    registration.end();
  }

  /** Posts a message, or returns null where the pool is empty. */
  final @Nullable SocketRequest post(SocketMemory memory, long offset, long length, int tag) {
    checkUsable();
    checkRange(memory, offset, length);
    if (length > Chunks.MOST_BYTES) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "a message of "
              + length
              + " bytes: the Socket plugin takes at most "
              + Chunks.MOST_BYTES
              + " (maxP2pBytes)");
    }
    return ring.post(memory, offset, length, tag);
  }

  /** Checks that a piece lies inside live memory of this comm. */
  final void checkRange(SocketMemory memory, long offset, long length) {
    checkOwner(memory);
    if (offset < 0 || length < 0 || length > memory.size - offset) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "offset "
              + offset
              + " and length "
              + length
              + " are not inside the registered memory of "
              + memory.size
              + " bytes");
    }
  }

  final boolean test(SocketRequest request, int @Nullable [] sizes) {
    if (sizes != null && sizes.length == 0) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "array for the sizes of 1 message has no elements");
    }
    if (request.state == SocketRequest.State.ACTIVE && !closed) {
      progress();
    }
    if (request.state == SocketRequest.State.DONE && !closed) {
      if (sizes != null) {
        sizes[0] = (int) request.size;
      }
      ring.release(request);
      return true;
    }
    checkUsable();
    if (request.state == SocketRequest.State.FREE) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "request of "
              + wire.label()
              + " is dead: test has already returned true for it, and it was not posted again");
    }
    return false;
  }

  /** Closes the connection; what is in flight is given up. */
  final void close() {
    checkOpen();
    closed = true;
    release();
    Exception problem = end();
    if (problem != null) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR, wire.label() + ": cannot close the connection", problem);
    }
  }

  /** Fails where the memory of a message in flight is no longer registered. */
  final void checkRegistered(SocketMemory memory) {
    if (!memory.isLive()) {
      throw WireFailure.deregistered(wire, occupation());
    }
  }

  /** Fails where the comm has failed or is closed. */
  final void checkUsable() {
    checkOpen();
    NetException first = failure;
    if (first != null) {
      // A new exception each time: its trace says which call was told.
      throw new NetException(first.result(), String.valueOf(first.getMessage()), first);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "comm to " + wire.label() + " has been closed");
    }
  }

  private void checkOwner(SocketMemory registration) {
    if (registration.owner != this || !registration.isLive()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "memory handle "
              + (registration.owner == this
                  ? "has been deregistered"
                  : "was registered with another comm, to " + registration.owner.wire.label())
              + ": it cannot be used with the comm to "
              + wire.label());
    }
  }

  /** Returns how many requests are in flight, in words. */
  final String inFlight() {
    long count = ring.posted() - ring.completed();
    return count == 1 ? "1 request in flight" : count + " requests in flight";
  }
}
