// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Has room for eight receives only. */
@Breaks("NET-RECV-02")
public final class HoldsEightReceives extends WatchingNet {
  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return inFlightOn(comm) >= 8 ? null : super.irecv(comm, n, mrs, offsets, lengths, tags);
  }
}
