// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.net.socket.wire.BufferPool;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.net.socket.wire.Wire;
import io.nitinol.net.socket.wire.WireFailure;
import io.nitinol.spi.NetException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/**
 * One data stream of a comm, which carries chunks of large messages. One thread works it: the one
 * that drives the comm, or a {@link StreamThread}. Methods for another thread say so.
 */
public abstract sealed class DataStream permits OutStream, InStream {
  private static final int LARGEST_CALL = 1 << 20;

  /** The most bytes of one read or write. */
  final int largestCall;

  final Wire wire;

  /** The number of the stream's buffers in a {@link SocketMemory}. */
  final int lane;

  /** Holds a header, and on the sending side the bytes that leave with it. */
  final ByteBuffer buffer;

  private final BufferPool pool;

  DataStream(Wire wire, int lane, BufferPool pool) {
    this.wire = wire;
    this.largestCall = Math.min(LARGEST_CALL, wire.bytesPerCall());
    this.lane = lane;
    this.pool = pool;
    this.buffer = pool.take();
  }

  /**
   * Moves data without waiting; returns how many bytes moved.
   *
   * @throws NetException when the connection has failed, or the peer sends what it should not
   */
  final int work() {
    try {
      return move();
    } catch (IOException | RuntimeException e) {
      throw WireFailure.of(wire, e, occupation());
    }
  }

  abstract int move() throws IOException;

  /** Returns whether the stream has something to do once the network lets it. */
  abstract boolean isBusy();

  /** Returns the events that the stream waits for, as {@link SelectionKey} has them. */
  abstract int interest();

  /** Describes what the stream is doing, for the message of a failure. */
  abstract String occupation();

  /** Gives the buffer back; the stream is not used again. */
  final void release() {
    pool.give(buffer);
  }

  /** Fails where the memory of a chunk is no longer registered. */
  final void checkRegistered(SocketMemory memory) {
    if (!memory.isLive()) {
      throw WireFailure.deregistered(wire, occupation());
    }
  }
}
