// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.NetException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One data stream of a comm, which carries chunks of large messages. It is worked by one thread,
 * the one that drives the comm or one of the comm's own, and touched by no other but for what a
 * subclass says.
 */
abstract sealed class DataStream permits OutStream, InStream {
  /** The most bytes of one read or write. */
  static final int LARGEST_CALL = 1 << 20;

  final Wire wire;

  /** The number of the stream among the buffers of a registration; see there. */
  final int lane;

  /** Holds a header, and on the sending side what leaves with it. */
  final ByteBuffer buffer;

  private final BufferPool pool;

  DataStream(Wire wire, int lane, BufferPool pool) {
    this.wire = wire;
    this.lane = lane;
    this.pool = pool;
    this.buffer = pool.take();
  }

  /**
   * Does what can be done at once; returns how many bytes moved.
   *
   * @throws NetException when the stream or what came on it is unusable
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

  /** Returns what the stream waits for, as of {@link java.nio.channels.SelectionKey}. */
  abstract int interest();

  /** Says what the stream was at, for the message of a failure. */
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
