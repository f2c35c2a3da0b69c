// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Hopes for six seconds that a large message still gets through. */
@Breaks("NET-CLOSE-02")
public final class WaitsForLargeSendsInClose extends WrongNet {
  private static final long LARGE = 4 << 20;

  private final Set<SendComm> busy = ConcurrentHashMap.newKeySet();

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    Request request = net.isend(comm, mr, offset, length, tag);
    if (request != null && length == LARGE) {
      busy.add(comm);
    }
    return request;
  }

  @Override
  public void closeSend(SendComm comm) {
    if (comm != null && busy.remove(comm)) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(6);
      while (System.nanoTime() - end < 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
    net.closeSend(comm);
  }
}
