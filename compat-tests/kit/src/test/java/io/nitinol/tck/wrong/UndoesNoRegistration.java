// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps memory registered until the comm is closed. */
@Breaks("NET-REG-07")
public final class UndoesNoRegistration extends WrongCollNet {
  private final Map<MemoryHandle, CollComm> comms = new ConcurrentHashMap<>();

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    MemoryHandle handle = super.regMr(comm, memory);
    comms.put(handle, comm);
    return handle;
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    if (handle == null || comm == null || !comm.equals(comms.get(handle))) {
      super.deregMr(comm, handle);
    }
  }

  @Override
  public void closeColl(CollComm comm) {
    super.closeColl(comm);
    comms.values().removeIf(comm::equals);
  }
}
