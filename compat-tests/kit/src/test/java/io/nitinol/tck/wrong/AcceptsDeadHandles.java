// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.MemoryHandle;

/** Leaves deregistered memory usable. */
@Breaks("NET-REG-07")
public final class AcceptsDeadHandles extends WatchingNet {
  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    if (handle == null || commOf(handle) != comm) {
      super.deregMr(comm, handle);
    } // or else the registration goes with the comm
  }
}
