// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Direct buffers of one size that comms give back when they are closed. The JDK frees a direct
 * buffer only when it is garbage, which may be long after; so many connections one after the other
 * would pile up memory. Safe for any thread.
 */
final class BufferPool {
  /**
   * How many buffers nobody uses are kept; what is beyond them is left to the garbage collector.
   */
  private static final int KEPT = 256;

  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
  private final int size;

  BufferPool(int size) {
    this.size = size;
  }

  /** Returns a buffer with any content. */
  ByteBuffer take() {
    ByteBuffer buffer;
    synchronized (free) {
      buffer = free.pollLast();
    }
    return buffer == null ? ByteBuffer.allocateDirect(size) : buffer;
  }

  /** Takes back a buffer that its last user does not touch any more. */
  void give(ByteBuffer buffer) {
    synchronized (free) {
      if (free.size() < KEPT) {
        free.addLast(buffer.clear());
      }
    }
  }
}
