// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Uses a memory handle with any comm. */
@Breaks("NET-REG-06")
public final class AcceptsForeignHandles extends WatchingNet {
  private MemoryHandle own(Comm comm, MemoryHandle handle) {
    Memory memory = handle == null ? null : memoryOf(handle);
    return memory == null || commOf(handle) == comm ? handle : regMr(comm, memory);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return super.isend(comm, own(comm, mr), offset, length, tag);
  }
}
