// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The bytes of a connection handle as a plugin wants them, 128 and aligned to 8, whatever the host
 * has: NCCL up to version 4 has 64, and later ones keep theirs in structs that need no alignment.
 */
final class HandleBuffer {
  private static final int ALIGNMENT = Long.BYTES;

  private final MemorySegment host;
  private final MemorySegment bytes;

  /** Whether {@link #bytes} are a copy, the host's being too few or not aligned. */
  private final boolean copied;

  private HandleBuffer(long address, int size) {
    this.host = NativeMemory.bytes(address, size);
    this.copied = size < Net.HANDLE_MAXSIZE || address % ALIGNMENT != 0;
    this.bytes = copied ? Arena.ofAuto().allocate(Net.HANDLE_MAXSIZE, ALIGNMENT) : host;
  }

  /** Returns zeroed bytes for {@code listen}; the host has {@code size} for them. */
  static HandleBuffer forListen(long address, int size) {
    HandleBuffer buffer = new HandleBuffer(address, size);
    buffer.host.fill((byte) 0);
    return buffer;
  }

  /** Returns the bytes that {@code connect} reads and keeps its state in. */
  static HandleBuffer forConnect(long address, int size) {
    HandleBuffer buffer = new HandleBuffer(address, size);
    if (buffer.copied) {
      buffer.bytes.copyFrom(buffer.host);
    }
    return buffer;
  }

  MemorySegment bytes() {
    return bytes;
  }

  /**
   * Lets the host have what the plugin has written.
   *
   * @throws NetException with INVALID_USAGE when that is more than the host has room for
   */
  void giveBack() {
    if (!copied) {
      return;
    }
    for (long i = host.byteSize(); i < bytes.byteSize(); i++) {
      if (bytes.get(ValueLayout.JAVA_BYTE, i) != 0) {
        throw new NetException(
            ResultCode.INVALID_USAGE,
            Exported.net().name()
                + " has handles of more than "
                + host.byteSize()
                + " bytes, which is all that this version of NCCL passes on: it needs NCCL 2.12 or"
                + " newer");
      }
    }
    host.copyFrom(bytes.asSlice(0, host.byteSize()));
  }
}
