// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Believes the pieces where the window has another length. */
@Breaks("COLL-25")
public final class GathersWhatThePiecesHold extends WrongNewestCollNet {
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
    long sum = 0;
    for (int i = 0; i < n && i < recvLengths.length; i++) {
      sum += recvLengths[i];
    }
    return super.iallgather(
        comm,
        sendMr,
        sendOffset,
        n,
        recvMrs,
        recvOffsets,
        recvLengths,
        bytesPerRank,
        windowOffset,
        sum);
  }
}
