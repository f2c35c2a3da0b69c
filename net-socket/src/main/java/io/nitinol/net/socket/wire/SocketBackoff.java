// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import io.nitinol.toolkit.thread.OneThread;

/**
 * A short time for which a connection is left alone after the kernel had no more of a large message
 * to give, or no room. Each call takes the socket's lock, which the kernel needs for the packets
 * that arrive in the meantime: a thread that asks without a pause slows down the very bytes that it
 * waits for. Small messages have no such pause, since it would be a large part of their time.
 */
@OneThread
final class SocketBackoff {
  /** The longest pause; a fast connection brings some kilobytes in it. */
  private static final long MOST_NANOS = 2_000;

  /** So many awaited bytes are worth a nanosecond: some percent of the time that they take. */
  private static final int BYTES_PER_NANO = 128;

  private boolean begun;
  private long end;

  /** Begins a pause now, in a message of which {@code bytes} are still to be moved. */
  void begin(long bytes) {
    begun = true;
    end = System.nanoTime() + Math.min(MOST_NANOS, bytes / BYTES_PER_NANO);
  }

  /** Returns whether the pause still lasts. */
  boolean lasts() {
    if (begun && System.nanoTime() - end >= 0) {
      begun = false;
    }
    return begun;
  }
}
