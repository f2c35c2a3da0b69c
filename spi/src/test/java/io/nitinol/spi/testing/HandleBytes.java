// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/** What somebody between the two sides of a connection does to a listener's handle. */
public final class HandleBytes {
  private static final int FAMILY = 10;
  private static final int PORT = 12;
  private static final int ADDRESS = 16;
  private static final int CRC = 60;

  private HandleBytes() {}

  /** Returns where the listener of {@code handle} is. */
  public static InetSocketAddress address(MemorySegment handle) {
    ByteBuffer in = fields(handle);
    byte[] address =
        Arrays.copyOfRange(in.array(), ADDRESS, ADDRESS + (in.getShort(FAMILY) == 4 ? 4 : 16));
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(address), Short.toUnsignedInt(in.getShort(PORT)));
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  /** Makes {@code handle} lead to another port. */
  public static void leadTo(MemorySegment handle, int port) {
    put(handle, PORT, (short) port);
  }

  /** Changes two bytes of a handle, with a checksum to them. */
  public static void put(MemorySegment handle, int at, short value) {
    ByteBuffer out = fields(handle).putShort(at, value);
    CRC32 crc = new CRC32();
    crc.update(out.array(), 0, CRC);
    out.putInt(CRC, (int) crc.getValue());
    MemorySegment.copy(out.array(), 0, handle, ValueLayout.JAVA_BYTE, 0, out.capacity());
  }

  private static ByteBuffer fields(MemorySegment handle) {
    return ByteBuffer.wrap(handle.asSlice(0, 64).toArray(ValueLayout.JAVA_BYTE));
  }
}
