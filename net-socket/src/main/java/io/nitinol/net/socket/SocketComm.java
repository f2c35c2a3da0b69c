// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.request.Chunks;
import io.nitinol.net.socket.request.RequestRing;
import io.nitinol.net.socket.request.SocketRequest;
import io.nitinol.net.socket.stream.DataStreams;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.net.socket.wire.Wire;
import io.nitinol.net.socket.wire.WireFailure;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One end of a comm: its requests, its registered memory and its first failure, which every later
 * call repeats.
 */
@OneThread
abstract sealed class SocketComm implements Comm permits SocketSendComm, SocketRecvComm {
  /** A call returns after so many bytes although more could be moved; see {@link Wire}. */
  final int bytesPerCall;

  /** The control stream, which carries everything where there is no other. */
  final Wire wire;

  /** The data streams. */
  final Wire[] data;

  final RequestRing ring = new RequestRing(this);

  private @Nullable NetException failure;
  private boolean closed;

  /** How many streams take buffers that show registered memory: all of them or none. */
  private final int lanes;

  /** The pools of the plugin instance that the comm belongs to. */
  final SocketPools pools;

  /** Takes over the control stream and the data streams. */
  SocketComm(Wire control, Wire[] data, SocketPools pools) {
    this.wire = control;
    this.bytesPerCall = control.bytesPerCall();
    this.data = data;
    this.pools = pools;
    boolean windows = !control.isGathering();
    for (Wire each : data) {
      windows |= !each.isGathering();
    }
    this.lanes = windows ? 1 + data.length : 0;
  }

  /** Moves data until nothing more can be done now or {@link #bytesPerCall} have been moved. */
  abstract void move() throws IOException;

  /** Describes what the comm is doing, for the message of a failure. */
  abstract String occupation();

  /** Returns the data streams. */
  abstract DataStreams streams();

  /** Gives the buffers back; the end is not used again. */
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

  /** Ends the threads and closes all streams; returns the problem, if there was one. */
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

  /** Registers host memory with this comm. */
  final SocketMemory register(Memory memory) {
    checkOpen();
    MemorySegment segment = memory.segment();
    if (memory.type() != PointerType.HOST || segment == null) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "cannot register %s with %s: the Socket plugin sends and receives HOST memory only",
              memory, wire.label()));
    }
    return new SocketMemory(this, segment, lanes);
  }

  /** Deregisters memory of this comm. */
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
          ErrorText.of(
              "a message of %d bytes: the Socket plugin takes at most %d (maxP2pBytes)",
              length, Chunks.MOST_BYTES));
    }
    return ring.post(memory, offset, length, tag);
  }

  /** Checks that a piece lies inside live memory of this comm. */
  final void checkRange(SocketMemory memory, long offset, long length) {
    checkOwner(memory);
    if (offset < 0 || length < 0 || length > memory.size - offset) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "offset %d and length %d are not inside the registered memory of %d bytes",
              offset, length, memory.size));
    }
  }

  /** Moves data, and returns whether a message is complete; see {@link SocketNet#test}. */
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
          ErrorText.of(
              "request of %s is dead: test has already returned true for it, and it was not posted"
                  + " again",
              wire.label()));
    }
    return false;
  }

  /** Closes the connection and gives up the messages in flight. */
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
      // A new exception each time, whose trace shows the call.
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
          ErrorText.of(
              "memory handle %s: it cannot be used with the comm to %s",
              registration.owner instanceof SocketComm other && other != this
                  ? "was registered with another comm, to " + other.wire.label()
                  : "has been deregistered",
              wire.label()));
    }
  }

  /** Returns how many requests are in flight, in words. */
  final String inFlight() {
    long count = ring.posted() - ring.completed();
    return count == 1 ? "1 request in flight" : count + " requests in flight";
  }
}
