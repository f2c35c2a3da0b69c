// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import io.nitinol.toolkit.thread.AnyThread;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Direct buffers of one size, which comms give back when they are closed. The JDK frees a direct
 * buffer only when it is garbage, which may be long after; the memory of many connections one after
 * the other would pile up.
 */
@AnyThread
public final class BufferPool {
  /** How many unused buffers are kept; the garbage collector takes those beyond. */
  private static final int KEPT = 256;

  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
  private final int size;

  /** Creates an empty pool of buffers of {@code size} bytes. */
  public BufferPool(int size) {
    this.size = size;
  }

  /** Returns a buffer with any content. */
  public ByteBuffer take() {
    ByteBuffer buffer;
    synchronized (free) {
      buffer = free.pollLast();
    }
    return buffer == null ? ByteBuffer.allocateDirect(size) : buffer;
  }

  /** Takes back a buffer that its last user does not touch any more. */
  public void give(ByteBuffer buffer) {
    synchronized (free) {
      if (free.size() < KEPT) {
        free.addLast(buffer.clear());
      }
    }
  }
}
