// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.net.MemoryHandle;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Host memory registered with one comm. The buffers that I/O needs are made here once; since a comm
 * is driven by one thread at a time, their position and limit are free to be set for each call.
 *
 * <p>A buffer cannot see more than 2 GiB, so larger memory has several of them, one beginning at
 * each GiB: wherever a piece begins, one buffer shows at least its next GiB.
 */
final class Registration implements MemoryHandle {
  private static final int WINDOW_SHIFT = 30;
  private static final long WINDOW = 1L << WINDOW_SHIFT;

  /** The comm that the memory is registered with. */
  final CommEnd owner;

  /** The size of the memory in bytes. */
  final long size;

  /** Whether messages cannot be received into it. */
  final boolean readOnly;

  private final ByteBuffer[] windows;
  private boolean live = true;

  Registration(CommEnd owner, MemorySegment memory) {
    this.owner = owner;
    this.size = memory.byteSize();
    this.readOnly = memory.isReadOnly();
    this.windows = new ByteBuffer[(int) Math.max(1, (size + WINDOW - 1) >>> WINDOW_SHIFT)];
    for (int i = 0; i < windows.length; i++) {
      long start = i * WINDOW;
      windows[i] = memory.asSlice(start, Math.min(size - start, Integer.MAX_VALUE)).asByteBuffer();
    }
  }

  /**
   * Returns a buffer whose remaining bytes are the memory from {@code offset}: {@code length} bytes
   * of it, or the next GiB where that is less. It is the caller's until the next call.
   */
  ByteBuffer window(long offset, long length) {
    int index = (int) Math.min(offset >>> WINDOW_SHIFT, windows.length - 1);
    int position = (int) (offset - index * WINDOW);
    ByteBuffer window = windows[index];
    window.limit(position + (int) Math.min(length, WINDOW)).position(position);
    return window;
  }

  /** Returns whether the registration has not been undone. */
  boolean isLive() {
    return live;
  }

  void end() {
    live = false;
  }
}
