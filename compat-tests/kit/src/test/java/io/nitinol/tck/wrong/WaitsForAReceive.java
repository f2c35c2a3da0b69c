// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits inside isend for the receive of a large message. */
@Breaks("NET-SEND-01")
public final class WaitsForAReceive extends WrongNet {
  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    Request request = super.isend(comm, mr, offset, length, tag);
    if (request == null && length > 16 << 20) {
      long end = System.nanoTime() + 200_000_000;
      while (request == null && System.nanoTime() - end < 0) {
        LockSupport.parkNanos(1_000_000);
        request = super.isend(comm, mr, offset, length, tag);
      }
    }
    return request;
  }
}
