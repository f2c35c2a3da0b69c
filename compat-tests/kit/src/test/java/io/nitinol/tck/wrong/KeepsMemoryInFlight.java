// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.MemoryHandle;

/** Does not deregister memory while anything is in flight. */
@Breaks("NET-REG-09")
public final class KeepsMemoryInFlight extends WatchingNet {
  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    if (handle != null && isInFlight(handle)) {
      throw new NetException(ResultCode.INTERNAL_ERROR, "the memory is in use");
    }
    super.deregMr(comm, handle);
  }
}
