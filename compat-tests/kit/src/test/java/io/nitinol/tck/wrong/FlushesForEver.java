// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Gives a request that never completes for every flush. */
@Breaks(value = "NET-FLUSH-04", also = "NET-FLUSH-02")
public final class FlushesForEver extends WrongNet {
  private static final class Endless implements Request {}

  private static final Request ENDLESS = new Endless();

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    Request request = super.iflush(comm, n, mrs, offsets, lengths);
    return n == 0 ? request : ENDLESS;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return request != ENDLESS && super.test(request, sizes);
  }
}
