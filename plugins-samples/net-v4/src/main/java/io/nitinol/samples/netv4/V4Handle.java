// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv4;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v4.Net;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/**
 * The 64 bytes that travel from {@code listen} to {@code connect}: who we are (4 bytes), port (4),
 * length of the address (4), address (16), key (16). Byte order is fixed, since the peer may be
 * another machine.
 */
final class V4Handle {
  static final int KEY_SIZE = 16;

  private static final int MAGIC = 0x53_56_34_01; // "SV4" and the layout's version
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final InetSocketAddress address;
  private final byte[] key;

  V4Handle(InetSocketAddress address, byte[] key) {
    this.address = address;
    this.key = key;
  }

  /** Where the listener is. */
  InetSocketAddress address() {
    return address;
  }

  /** The key that a peer has to send first, {@link #KEY_SIZE} bytes. */
  byte[] key() {
    return key;
  }

  void write(MemorySegment handle) {
    requireSize(handle);
    byte[] ip = address.getAddress().getAddress();
    handle.set(INT, 0, MAGIC);
    handle.set(INT, 4, address.getPort());
    handle.set(INT, 8, ip.length);
    MemorySegment.copy(ip, 0, handle, ValueLayout.JAVA_BYTE, 12, ip.length);
    MemorySegment.copy(key, 0, handle, ValueLayout.JAVA_BYTE, 28, KEY_SIZE);
  }

  static V4Handle read(MemorySegment handle) {
    requireSize(handle);
    int port = handle.get(INT, 4);
    int length = handle.get(INT, 8);
    boolean sound = handle.get(INT, 0) == MAGIC && port > 0 && port < 65536;
    if (!sound || (length != 4 && length != 16)) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "these bytes are no handle that SampleV4 wrote");
    }
    byte[] ip = handle.asSlice(12, length).toArray(ValueLayout.JAVA_BYTE);
    byte[] key = handle.asSlice(28, KEY_SIZE).toArray(ValueLayout.JAVA_BYTE);
    try {
      return new V4Handle(new InetSocketAddress(InetAddress.getByAddress(ip), port), key);
    } catch (UnknownHostException e) { // only for other lengths than 4 and 16
      throw new NetException(ResultCode.INVALID_ARGUMENT, "no address in the handle", e);
    }
  }

  private static void requireSize(MemorySegment handle) {
    if (handle.byteSize() < Net.HANDLE_MAXSIZE) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "a handle has " + Net.HANDLE_MAXSIZE + " bytes, this buffer " + handle.byteSize());
    }
  }
}
