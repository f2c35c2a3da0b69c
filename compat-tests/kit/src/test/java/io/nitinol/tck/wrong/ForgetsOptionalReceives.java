// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Takes a receive whose completion is optional for one that need not be. */
@Breaks("NET-RECV-18")
public final class ForgetsOptionalReceives extends WrongNewestNet {
  private enum Nothing implements Request {
    TO_DO
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      int[] tags,
      long @Nullable [] profilerHandles,
      int hints) {
    return hints != 0
        ? Nothing.TO_DO
        : super.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return request == Nothing.TO_DO || super.test(request, sizes);
  }
}
