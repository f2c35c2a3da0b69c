// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.net;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Registered host memory, as channels read and write it. The caller of the plugin owns the memory.
 * One thread at a time uses {@link #part}; the rest is safe for any thread.
 */
public final class HostRegion extends Token implements MemoryHandle {
  /** The longest message in bytes: no buffer of the JDK holds more. */
  public static final int LARGEST = Integer.MAX_VALUE - 8;

  private final MemorySegment memory;

  /** Of the first {@link #LARGEST} bytes at most. */
  private final ByteBuffer view;

  /**
   * Registers memory.
   *
   * @param owner the comm that may use it
   * @param memory what is registered
   * @param most how many bytes it may have: up to version 7 of the interface {@code
   *     Integer.MAX_VALUE}, from version 8 on {@code Long.MAX_VALUE} (NET-REG-03)
   * @throws NetException INVALID_ARGUMENT for memory of a device, and for more than {@code most}
   */
  public HostRegion(Object owner, Memory memory, long most) {
    super(owner);
    MemorySegment segment = memory.segment();
    if (segment == null || memory.type() != PointerType.HOST || memory.size() > most) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of("%s: expected host memory of at most %d bytes", memory, most));
    }
    this.memory = segment;
    view = segment.asSlice(0, Math.min(segment.byteSize(), LARGEST)).asByteBuffer();
  }

  /**
   * Checks a message, or the room for one (NET-SEND-05, NET-REG-13).
   *
   * @param offset its first byte
   * @param length how many bytes
   * @param received whether they will be written
   * @throws NetException INVALID_ARGUMENT when they are not all in the region, more than {@link
   *     #LARGEST}, or read-only
   */
  public void check(long offset, long length, boolean received) {
    if (offset < 0 || length < 0 || length > memory.byteSize() - offset) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "%d bytes at %d of memory of which %d bytes are registered",
              length, offset, memory.byteSize()));
    }
    if (length > LARGEST) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of("%d bytes, expected at most %d", length, LARGEST));
    }
    if (received && view.isReadOnly()) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "cannot receive into read-only registered memory");
    }
  }

  /**
   * Returns a part of the memory, for one read or write: the next call changes the same buffer, so
   * that messages cost no garbage, but for those behind the first {@link #LARGEST} bytes.
   *
   * @param from its first byte
   * @param to the byte behind it
   * @return the bytes from {@code from} to {@code to}
   * @throws IllegalArgumentException when they are not in the region: see {@link #check}
   */
  public ByteBuffer part(long from, long to) {
    if (to > view.capacity()) {
      return memory.asSlice(from, to - from).asByteBuffer();
    }
    return view.limit((int) to).position((int) from);
  }
}
