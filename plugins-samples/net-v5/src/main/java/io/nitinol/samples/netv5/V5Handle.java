// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v5.Net;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * A handle: the address of the listener and the key that it expects. Behind it, the bytes hold the
 * number of the attempt that is under way from this copy, 0 for none.
 *
 * @param address where the listener is
 * @param high one half of the key
 * @param low the other half
 */
record V5Handle(InetSocketAddress address, long high, long low) {
  static final int KEY_SIZE = 16;

  private static final long MAGIC = 0x53616d706c655635L; // "SampleV5"
  private static final int ATTEMPT = 64; // where the number of the attempt is

  void writeTo(MemorySegment handle) {
    byte[] ip = address.getAddress().getAddress();
    ByteBuffer bytes = bytes(handle).putLong(MAGIC).putLong(high).putLong(low);
    bytes.putInt(address.getPort()).putInt(ip.length).put(ip);
  }

  static V5Handle readFrom(MemorySegment handle) {
    ByteBuffer bytes = bytes(handle);
    if (bytes.getLong() != MAGIC) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "these bytes are no handle that SampleV5 wrote");
    }
    long high = bytes.getLong();
    long low = bytes.getLong();
    int port = bytes.getInt();
    int length = bytes.getInt();
    try {
      byte[] ip = new byte[length == 4 || length == 16 ? length : 0];
      bytes.get(ip);
      return new V5Handle(new InetSocketAddress(InetAddress.getByAddress(ip), port), high, low);
    } catch (UnknownHostException | IllegalArgumentException e) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "no address in the handle: " + e, e);
    }
  }

  static long attempt(MemorySegment handle) {
    return bytes(handle).getLong(ATTEMPT);
  }

  static void setAttempt(MemorySegment handle, long attempt) {
    bytes(handle).putLong(ATTEMPT, attempt);
  }

  /** Whether the bytes in {@code said} are the key; takes the same time for any wrong ones. */
  boolean knows(ByteBuffer said) {
    return ((said.getLong(0) ^ high) | (said.getLong(8) ^ low)) == 0;
  }

  private static ByteBuffer bytes(MemorySegment handle) {
    if (handle.byteSize() < Net.HANDLE_MAXSIZE) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "a handle has " + Net.HANDLE_MAXSIZE + " bytes, this buffer " + handle.byteSize());
    }
    return handle.asByteBuffer(); // big-endian on every machine
  }
}
