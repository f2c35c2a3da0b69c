// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Fills the last piece of a window first. */
@Breaks("COLL-23")
public final class FillsPiecesBackwards extends WrongNewestCollNet {
  @Override
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
    long[] offsets = recvOffsets.clone();
    if (n > 1 && recvLengths.length > 1 && recvLengths[0] == recvLengths[1]) {
      offsets[0] = recvOffsets[1];
      offsets[1] = recvOffsets[0];
    }
    return super.iallgather(
        comm,
        sendMr,
        sendOffset,
        n,
        recvMrs,
        offsets,
        recvLengths,
        bytesPerRank,
        windowOffset,
        windowBytes);
  }
}
