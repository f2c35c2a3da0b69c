// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps registrations in a cache and drops one with its first deregistration. */
@Breaks("NET-REG-04")
public final class OneHandlePerAddress extends WrongNet {
  private record Place(Comm comm, long address, long size) {}

  private final Map<Place, MemoryHandle> cache = new ConcurrentHashMap<>();

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    if (memory.segment() == null || comm == null) {
      return super.regMr(comm, memory);
    }
    return cache.computeIfAbsent(
        new Place(comm, memory.address(), memory.size()), place -> super.regMr(comm, memory));
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    super.deregMr(comm, handle);
    cache.values().remove(handle);
  }

  @Override
  public void closeSend(SendComm comm) {
    cache.keySet().removeIf(place -> place.comm() == comm);
    super.closeSend(comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    cache.keySet().removeIf(place -> place.comm() == comm);
    super.closeRecv(comm);
  }
}
