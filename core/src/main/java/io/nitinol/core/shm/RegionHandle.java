// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * How another rank finds a region. The token is a secret: it travels out of band, among members.
 *
 * @param size bytes
 * @param high first half of the token, which is also in the region
 * @param low its second half
 * @param file the file's name in the directory; empty for memory of one process
 */
public record RegionHandle(long size, long high, long low, String file) {
  /** The most bytes that {@link #toBytes} returns, its length byte included. */
  public static final int MAX_BYTES = 120;

  private static final int FRONT = 3 * Long.BYTES + 1;

  /** Returns it in at most {@link #MAX_BYTES} bytes. */
  public byte[] toBytes() {
    byte[] name = file.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes = ByteBuffer.allocate(FRONT + name.length);
    bytes.putLong(size).putLong(high).putLong(low).put((byte) name.length).put(name);
    return bytes.array();
  }

  /**
   * Returns the handle that lies in front of {@code bytes}, whatever follows it.
   *
   * @throws NetException INTERNAL_ERROR when it is none
   */
  public static RegionHandle of(byte[] bytes) {
    int length = bytes.length < FRONT ? -1 : bytes[FRONT - 1];
    if (length < 0 || bytes.length < FRONT + length) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR,
          "a handle of shared memory came with " + bytes.length + " bytes, which is no handle");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long size = in.getLong();
    long high = in.getLong();
    long low = in.getLong();
    String file = new String(bytes, FRONT, length, StandardCharsets.US_ASCII);
    if (!file.isEmpty() && !ShmDirectory.isName(file)) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR,
          "a handle of shared memory names the file \"" + file + "\", which is not one of ours");
    }
    return new RegionHandle(size, high, low, file);
  }

  boolean isLocal() {
    return file.isEmpty();
  }

  @Override
  public String toString() { // not the token
    return isLocal() ? size + " bytes of this process" : file + " of " + size + " bytes";
  }
}
