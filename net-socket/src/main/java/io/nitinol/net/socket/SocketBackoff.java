// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

/**
 * A short time for which a connection is left alone after the kernel had no more of a large message
 * to give, or no room. Each call takes the socket's lock, which the kernel needs for what the peer
 * sends in the meantime: one that asks without a pause slows down the very bytes that it waits for.
 * Not for small messages, whose time it would be part of. Driven by one thread at a time.
 */
final class SocketBackoff {
  /** The longest, some kilobytes of a fast connection. */
  private static final long MOST_NANOS = 2_000;

  /** As many bytes of what is awaited are worth a nanosecond: some percent of its time. */
  private static final int BYTES_PER_NANO = 128;

  private boolean begun;
  private long end;

  /** Begins now, for a message of which so many bytes are still to be moved. */
  void begin(long bytes) {
    begun = true;
    end = System.nanoTime() + Math.min(MOST_NANOS, bytes / BYTES_PER_NANO);
  }

  /** Returns whether it still lasts. */
  boolean lasts() {
    if (begun && System.nanoTime() - end >= 0) {
      begun = false;
    }
    return begun;
  }
}
