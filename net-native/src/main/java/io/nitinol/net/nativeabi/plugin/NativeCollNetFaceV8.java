// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** The operations that versions 8 to 12 have alike beyond those. */
abstract class NativeCollNetFaceV8 extends NativeCollNetFace {

  NativeCollNetFaceV8(NativePlugin<CollNetFunction> plugin) {
    super(plugin);
  }

  public MemoryHandle regMrDmaBuf(CollComm comm, Memory memory, long offset, int fd) {
    return collNet.registrations().registerDmaBuf(collNet.own(comm), memory, offset, fd);
  }

  public @Nullable Request iallgather(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      int n,
      MemoryHandle[] recvMrs,
      long[] recvOffsets,
      long[] recvLengths,
      long bytesPerRank,
      long windowOffset,
      long windowBytes) {
    return collNet
        .collectives()
        .iallgather(
            collNet.own(comm),
            sendMr,
            sendOffset,
            n,
            recvMrs,
            recvOffsets,
            recvLengths,
            bytesPerRank,
            windowOffset,
            windowBytes);
  }

  public @Nullable Request ireducescatter(
      CollComm comm,
      int n,
      MemoryHandle[] sendMrs,
      long[] sendOffsets,
      long[] sendLengths,
      MemoryHandle recvMr,
      long recvOffset,
      long bytesPerRank,
      long windowOffset,
      long windowBytes,
      DataType dataType,
      ReductionOp op) {
    return collNet
        .collectives()
        .ireducescatter(
            collNet.own(comm),
            n,
            sendMrs,
            sendOffsets,
            sendLengths,
            recvMr,
            recvOffset,
            bytesPerRank,
            windowOffset,
            windowBytes,
            dataType,
            op);
  }

  public boolean supports(OptionalOperation operation) {
    return collNet.supports(operation);
  }
}
