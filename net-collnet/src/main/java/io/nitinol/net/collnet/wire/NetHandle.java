// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The handle of a listener of the network plugin that carries a group's data, as it travels in
 * frames. Immutable. It holds that network's key, so it is never shown.
 */
public final class NetHandle {
  /** How many bytes it has. */
  public static final int BYTES = Net.HANDLE_MAXSIZE;

  private final byte[] bytes;

  private NetHandle(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Copies what {@link Net#listen} has filled.
   *
   * @param handle {@link #BYTES} bytes
   * @return the handle
   */
  public static NetHandle of(MemorySegment handle) {
    return new NetHandle(handle.asSlice(0, BYTES).toArray(ValueLayout.JAVA_BYTE));
  }

  static NetHandle of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(bytes.length + " bytes, expected " + BYTES);
    }
    return new NetHandle(bytes.clone());
  }

  /**
   * Writes the handle as {@link Net#connect} takes it.
   *
   * @param handle where to; {@link #BYTES} bytes or more
   */
  public void writeTo(MemorySegment handle) {
    MemorySegment.copy(bytes, 0, handle, ValueLayout.JAVA_BYTE, 0, BYTES);
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NetHandle that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "handle of " + BYTES + " bytes";
  }
}
