// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.DeviceFailure;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * What {@code exportMemory} gives: which file, and where in it. Plain bytes, the same in any
 * process of the host.
 *
 * @param device the index of the device that owns the memory
 * @param owner the process that made the file
 * @param token the random part of the file's name, 32 hexadecimal digits
 * @param offset where the piece begins in the file
 * @param size its number of bytes
 */
record CpuSharedHandle(int device, OwnerProcess owner, String token, long offset, long size) {
  static final int SIZE = 128;
  static final int TOKEN_SIZE = 16;

  private static final long MAGIC = 0x6e63_7075_6d65_6d31L; // "ncpumem1"

  static CpuSharedHandle ofThisProcess(int device, String token, long offset, long size) {
    return new CpuSharedHandle(device, OwnerProcess.SELF, token, offset, size);
  }

  CpuSharedHandle piece(long pieceOffset, long pieceSize) {
    return new CpuSharedHandle(device, owner, token, offset + pieceOffset, pieceSize);
  }

  byte[] encode() {
    ByteBuffer bytes = ByteBuffer.allocate(SIZE);
    bytes.putLong(MAGIC).putInt(device);
    bytes.putLong(owner.namespace()).putLong(owner.pid()).putLong(owner.started());
    bytes.put(HexFormat.of().parseHex(token));
    bytes.putLong(offset).putLong(size);
    return bytes.array();
  }

  static CpuSharedHandle decode(byte[] handle) {
    if (CpuFailures.notNull(handle, "handle").length != SIZE) {
      throw CpuFailures.invalid("a handle has %d bytes, this one %d", SIZE, handle.length);
    }
    ByteBuffer bytes = ByteBuffer.wrap(handle);
    if (bytes.getLong() != MAGIC) {
      throw CpuFailures.invalid("these bytes are no handle of memory");
    }
    int device = bytes.getInt();
    OwnerProcess owner = new OwnerProcess(bytes.getLong(), bytes.getLong(), bytes.getLong());
    byte[] token = new byte[TOKEN_SIZE];
    bytes.get(token);
    String name = HexFormat.of().formatHex(token);
    return new CpuSharedHandle(device, owner, name, bytes.getLong(), bytes.getLong());
  }

  SharedFile file() {
    return SharedFile.of(owner, token);
  }

  /** Refuses memory of a process that has ended, whose file may still have its name. */
  void requireAlive() {
    if (owner.hasEnded()) {
      throw CpuFailures.of(
          DeviceFailure.IPC_REFUSED, "process %d, whose memory it was, has ended", owner.pid());
    }
  }
}
