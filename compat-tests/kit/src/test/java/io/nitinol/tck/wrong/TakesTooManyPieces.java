// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Accepts receives of more pieces than it has said. */
@Breaks("NET-RECV-08")
public final class TakesTooManyPieces extends WrongNet {
  private static final class Endless implements Request {}

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return n > 8 ? new Endless() : super.irecv(comm, n, mrs, offsets, lengths, tags);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return !(request instanceof Endless) && super.test(request, sizes);
  }
}
