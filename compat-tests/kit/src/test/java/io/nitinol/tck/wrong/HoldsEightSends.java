// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Has room for eight sends only. */
@Breaks("NET-SEND-03")
public final class HoldsEightSends extends WatchingNet {
  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return inFlightOn(comm) >= 8 ? null : super.isend(comm, mr, offset, length, tag);
  }
}
