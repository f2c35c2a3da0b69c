// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v4.Net;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;

/** The part of a handle that a version 4 plugin may see: the first 64 of the caller's bytes. */
final class V4Handles {
  /** What the caller's version promises: a shorter buffer is wrong, though the plugin had room. */
  private static final int CALLERS_SIZE = io.nitinol.spi.net.v5.Net.HANDLE_MAXSIZE;

  private V4Handles() {}

  /**
   * Returns the first {@link Net#HANDLE_MAXSIZE} bytes of {@code handle}, the same memory: what the
   * plugin keeps there between two calls of {@code connect} stays, and a write beyond fails in the
   * plugin instead of reaching the caller's bytes.
   */
  static MemorySegment narrow(MemorySegment handle) {
    if (handle.byteSize() < CALLERS_SIZE) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "a connection handle has %d bytes, expected at least %d",
              handle.byteSize(), CALLERS_SIZE));
    }
    return handle.asSlice(0, Net.HANDLE_MAXSIZE);
  }

  /**
   * Clears the caller's handle and returns what {@code listen} may fill: the bytes that the plugin
   * cannot reach travel to the peer too, and must not carry what happened to be there.
   */
  static MemorySegment cleared(MemorySegment handle) {
    MemorySegment narrow = narrow(handle);
    handle.asSlice(0, CALLERS_SIZE).fill((byte) 0);
    return narrow;
  }

  /** Narrows each of the handles. */
  static MemorySegment[] narrow(MemorySegment[] handles) {
    MemorySegment[] narrow = new MemorySegment[handles.length];
    for (int i = 0; i < handles.length; i++) {
      narrow[i] = narrow(handles[i]);
    }
    return narrow;
  }
}
