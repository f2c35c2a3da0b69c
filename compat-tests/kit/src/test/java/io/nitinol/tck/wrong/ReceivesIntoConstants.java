// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import java.lang.foreign.MemorySegment;

/** Writes to memory that it was shown as read-only. */
@Breaks("NET-REG-13")
public final class ReceivesIntoConstants extends WrongNet {
  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    MemorySegment segment = memory.segment();
    return super.regMr(
        comm,
        segment != null && segment.isReadOnly()
            ? Memory.ofHost(MemorySegment.ofAddress(memory.address()).reinterpret(memory.size()))
            : memory);
  }
}
