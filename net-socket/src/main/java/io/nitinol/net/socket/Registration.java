// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.net.MemoryHandle;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Host memory registered with one comm. The buffers that I/O needs are made here once; since a comm
 * is driven by one thread at a time, their position and limit are free to be set for each call.
 *
 * <p>A buffer shows a few bytes less than 2<sup>31</sup>-1, so larger memory has several of them,
 * one beginning at each GiB: wherever a piece begins, one buffer shows all that one call moves.
 */
final class Registration implements MemoryHandle {
  private static final int WINDOW_SHIFT = 30;
  private static final long LARGEST_BUFFER = Integer.MAX_VALUE - 8;

  /** The comm that the memory is registered with. */
  final CommEnd owner;

  /** The size of the memory in bytes. */
  final long size;

  private final boolean readOnly;
  private final ByteBuffer[] windows;
  // Undone on the thread that registers, read on the one that drives the comm (NET-THREAD-04).
  private volatile boolean live = true;

  Registration(CommEnd owner, MemorySegment segment) {
    this.owner = owner;
    this.size = segment.byteSize();
    this.readOnly = segment.isReadOnly();
    this.windows = new ByteBuffer[size == 0 ? 1 : (int) (((size - 1) >> WINDOW_SHIFT) + 1)];
    for (int i = 0; i < windows.length; i++) {
      long start = (long) i << WINDOW_SHIFT;
      windows[i] = segment.asSlice(start, Math.min(size - start, LARGEST_BUFFER)).asByteBuffer();
    }
  }

  /**
   * Returns a buffer whose remaining bytes are {@code length} bytes of the memory from {@code
   * offset}, at most 512 MiB. It is the caller's until the next call.
   */
  ByteBuffer window(long offset, int length) {
    int index = Math.min((int) (offset >> WINDOW_SHIFT), windows.length - 1);
    int position = (int) (offset - ((long) index << WINDOW_SHIFT));
    return windows[index].limit(position + length).position(position);
  }

  /** Returns whether messages cannot be received into the memory. */
  boolean isReadOnly() {
    return readOnly;
  }

  /** Returns whether the registration has not been undone. */
  boolean isLive() {
    return live;
  }

  void end() {
    live = false;
  }
}
