// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;

/** Registers through dma-buf without having said that it can. */
@Breaks("NET-REG-11")
public final class TakesDmaBuf extends WrongNet {
  @Override
  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    return super.regMr(comm, memory);
  }
}
