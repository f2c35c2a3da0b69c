// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.toolkit.ErrorText;

/** The memory that {@code regMr} names. */
final class Memories {
  private Memories() {}

  /**
   * Describes the host's memory, which stays the host's and lives until it is deregistered.
   *
   * @param type one of {@code NCCL_PTR_*}
   */
  static Memory of(long address, long size, int type) {
    if (size < 0) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "memory of " + size + " bytes cannot be registered");
    }
    if (type == PointerType.HOST.mask()) {
      return Memory.ofHost(NcclMemory.bytes(address, size));
    }
    if (type == PointerType.CUDA.mask()) {
      return Memory.ofDevice(address, size, PointerType.CUDA);
    }
    throw new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of(
            "memory of type %s: expected %s (NCCL_PTR_HOST) or %s (NCCL_PTR_CUDA)",
            type, PointerType.HOST.mask(), PointerType.CUDA.mask()));
  }
}
