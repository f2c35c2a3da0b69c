// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;

/** Registers memory only where a page begins. */
@Breaks(value = "NET-REG-05", also = "NET-REG-04")
public final class NeedsWholePages extends WrongNet {
  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    if (memory.address() % 4096 != 0) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, memory + " does not begin with a page");
    }
    return super.regMr(comm, memory);
  }
}
