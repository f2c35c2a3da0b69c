// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.net.socket.wire.BufferPool;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.net.socket.wire.Wire;
import io.nitinol.net.socket.wire.WireFailure;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One data stream of a comm, which carries chunks of large messages. The thread that drives the
 * comm works it, and a {@link StreamThread} that helps; each claims the stream for a turn, so they
 * never do so at once. Methods for a thread that has not claimed it say so.
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

  private static final VarHandle CLAIM;

  static {
    try {
      CLAIM = MethodHandles.lookup().findVarHandle(DataStream.class, "claim", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int FREE = 0;
  private static final int CLAIMED = 1;

  private final BufferPool pool;

  @SuppressWarnings("UnusedVariable") // by CLAIM
  private int claim = FREE;

  /** What a helping thread met, for the thread that drives the comm. */
  private volatile @Nullable NetException failure;

  DataStream(Wire wire, int lane, BufferPool pool) {
    this.wire = wire;
    this.largestCall = Math.min(LARGEST_CALL, wire.bytesPerCall());
    this.lane = lane;
    this.pool = pool;
    this.buffer = pool.take();
  }

  /**
   * Moves data without waiting, for the thread that drives the comm; returns how many bytes moved,
   * none while another thread moves some.
   *
   * @throws NetException when the connection has failed, or the peer sends what it should not
   */
  final int work() {
    if (!claim()) {
      return 0;
    }
    try {
      return move();
    } catch (IOException | RuntimeException e) {
      throw WireFailure.of(wire, e, occupation());
    } finally {
      leave();
    }
  }

  /** As {@link #work}, for a helping thread: it leaves a failure to {@link #check}. */
  @AnyThread
  final int help() {
    if (!isBusy() || failure != null || !claim()) {
      return 0;
    }
    try {
      return move();
    } catch (IOException | RuntimeException e) {
      failure = WireFailure.of(wire, e, occupation());
      return 0;
    } catch (Error e) {
      failure =
          new NetException(
              ResultCode.INTERNAL_ERROR,
              ErrorText.of("%s: %s %s", wire.label(), e, occupation()),
              e);
      return 0;
    } finally {
      leave();
    }
  }

  private boolean claim() {
    return (int) CLAIM.getOpaque(this) == FREE && CLAIM.compareAndSet(this, FREE, CLAIMED);
  }

  private void leave() {
    CLAIM.setRelease(this, FREE);
  }

  /** Throws what a helping thread met, if it met something. */
  final void check() {
    NetException seen = failure;
    if (seen != null) {
      throw seen;
    }
  }

  /**
   * Keeps helping threads away for ever.
   *
   * @return whether none works the stream any more; if not, call again
   */
  final boolean close() {
    return claim();
  }

  abstract int move() throws IOException;

  /** Returns whether the stream has something to do once the network lets it. */
  @AnyThread
  abstract boolean isBusy();

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
