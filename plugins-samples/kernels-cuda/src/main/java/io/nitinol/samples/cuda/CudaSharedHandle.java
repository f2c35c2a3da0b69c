// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.cuda_h;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * What {@code exportMemory} gives: the driver's handle of an allocation and a piece of it, with a
 * checksum, so that other bytes never reach the driver.
 *
 * @param process the process that exported it
 * @param driver the {@code CUipcMemHandle}, {@value #DRIVER_SIZE} bytes
 * @param offset where the piece begins in the allocation
 * @param size the number of bytes of the piece
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CudaSharedHandle(long process, byte[] driver, long offset, long size) {
  static final int DRIVER_SIZE = 64;

  /** The number of bytes of an encoded handle. */
  static final int SIZE = 8 + 8 + DRIVER_SIZE + 8 + 8 + 8;

  private static final long MAGIC = 0x4e49_5443_5544_4101L;

  CudaSharedHandle {
    if (driver.length != DRIVER_SIZE || DRIVER_SIZE != cuda_h.CU_IPC_HANDLE_SIZE()) {
      throw CudaFailures.invalid("a handle of %d bytes", driver.length);
    }
  }

  byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE);
    bytes.putLong(MAGIC).putLong(process).put(driver).putLong(offset).putLong(size);
    return bytes.putLong(checksum(bytes.array())).array();
  }

  /**
   * Reads a handle.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException with INVALID_ARGUMENT for bytes that are none
   */
  static CudaSharedHandle decode(byte[] encoded) {
    if (CudaFailures.notNull(encoded, "handle").length != SIZE) {
      throw CudaFailures.invalid("a handle has %d bytes, not %d", SIZE, encoded.length);
    }
    ByteBuffer bytes = ByteBuffer.wrap(encoded);
    byte[] driver = new byte[DRIVER_SIZE];
    long magic = bytes.getLong();
    long process = bytes.getLong();
    bytes.get(driver);
    long offset = bytes.getLong();
    long size = bytes.getLong();
    if (magic != MAGIC || bytes.getLong() != checksum(encoded) || offset < 0 || size < 1) {
      throw CudaFailures.invalid("these bytes are no memory handle of this provider");
    }
    return new CudaSharedHandle(process, driver, offset, size);
  }

  private static long checksum(byte[] encoded) {
    CRC32C sum = new CRC32C();
    sum.update(encoded, 0, SIZE - 8);
    return sum.getValue();
  }
}
