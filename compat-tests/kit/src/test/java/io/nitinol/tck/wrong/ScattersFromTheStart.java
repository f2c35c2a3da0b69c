// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Takes every window for one that begins at the start. */
@Breaks("COLL-24")
public final class ScattersFromTheStart extends WrongNewestCollNet {
  @Override
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
    return super.ireducescatter(
        comm,
        n,
        sendMrs,
        sendOffsets,
        sendLengths,
        recvMr,
        recvOffset,
        bytesPerRank,
        0,
        windowBytes,
        dataType,
        op);
  }
}
