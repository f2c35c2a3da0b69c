// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.wire;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.MemoryHandle;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Host memory registered with one comm. The buffers that the JDK's I/O needs are made here once,
 * those of each stream of the comm in a lane of their own: since one thread at a time drives a
 * stream, their position and limit can be set for each call.
 *
 * <p>A buffer shows a few bytes less than 2<sup>31</sup>-1, so larger memory has several of them,
 * one beginning at each GiB: wherever a piece begins, one buffer shows all that one call moves.
 */
public final class SocketMemory implements MemoryHandle {
  private static final int WINDOW_SHIFT = 30;
  private static final long LARGEST_BUFFER = Integer.MAX_VALUE - 8;

  /** The comm that the memory is registered with. */
  public final Comm owner;

  /** The size of the memory in bytes. */
  public final long size;

  /** The memory. */
  public final MemorySegment segment;

  /** The address of its first byte. */
  final long address;

  private final ByteBuffer[][] windows;
  // Cleared by the thread that deregisters, read by the thread that drives the comm
  // (NET-THREAD-04).
  private volatile boolean live = true;

  /**
   * Registers memory.
   *
   * @param lanes how many lanes there are: one for the control stream, and one for each data
   *     stream; or 0 where none of them takes buffers
   */
  public SocketMemory(Comm owner, MemorySegment segment, int lanes) {
    this.owner = owner;
    this.size = segment.byteSize();
    this.segment = segment;
    this.address = segment.address();
    int count = size == 0 ? 1 : (int) (((size - 1) >> WINDOW_SHIFT) + 1);
    this.windows = new ByteBuffer[lanes][count];
    for (int i = 0; i < count; i++) {
      long start = (long) i << WINDOW_SHIFT;
      ByteBuffer window =
          segment.asSlice(start, Math.min(size - start, LARGEST_BUFFER)).asByteBuffer();
      for (int lane = 0; lane < lanes; lane++) {
        windows[lane][i] = lane == 0 ? window : window.duplicate();
      }
    }
  }

  /**
   * Returns a buffer whose remaining bytes are {@code length} bytes of the memory from {@code
   * offset}, at most 512 MiB. It is the caller's until the next call for the lane.
   *
   * @param lane 0 for the control stream, 1 and on for data streams
   */
  ByteBuffer window(int lane, long offset, int length) {
    ByteBuffer[] own = windows[lane];
    int index = Math.min((int) (offset >> WINDOW_SHIFT), own.length - 1);
    int position = (int) (offset - ((long) index << WINDOW_SHIFT));
    return own[index].limit(position + length).position(position);
  }

  /** Returns whether messages cannot be received into the memory. */
  public boolean isReadOnly() {
    return segment.isReadOnly();
  }

  /** Returns whether the memory has not been deregistered. */
  public boolean isLive() {
    return live;
  }

  /** Deregisters the memory. */
  public void end() {
    live = false;
  }
}
