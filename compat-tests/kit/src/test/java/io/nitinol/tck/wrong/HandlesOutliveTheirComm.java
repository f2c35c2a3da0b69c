// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Leaves what was registered with a closed comm usable with the next. */
@Breaks(value = "NET-REG-10", also = "NET-CLOSE-08")
public final class HandlesOutliveTheirComm extends WrongNet {
  private final Map<MemoryHandle, Memory> left = new ConcurrentHashMap<>();
  private final Map<MemoryHandle, Comm> owners = new ConcurrentHashMap<>();

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    MemoryHandle handle = super.regMr(comm, memory);
    owners.put(handle, comm);
    if (owners.size() < 100) {
      left.put(handle, memory);
    }
    return handle;
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    super.deregMr(comm, handle);
    left.remove(handle);
    owners.remove(handle);
  }

  @Override
  public void closeSend(SendComm comm) {
    owners.values().removeIf(owner -> owner == comm);
    super.closeSend(comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    owners.values().removeIf(owner -> owner == comm);
    super.closeRecv(comm);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    if (mr != null && !owners.containsKey(mr) && left.containsKey(mr)) {
      return super.isend(comm, regMr(comm, left.get(mr)), offset, length, tag);
    }
    return super.isend(comm, mr, offset, length, tag);
  }
}
