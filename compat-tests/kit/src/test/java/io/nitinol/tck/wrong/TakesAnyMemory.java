// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import java.lang.foreign.Arena;

/** Registers whatever it is given, also what its devices cannot reach. */
@Breaks("NET-REG-02")
public final class TakesAnyMemory extends WrongNet {
  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return super.regMr(
        comm, memory.segment() == null ? Memory.ofHost(Arena.global().allocate(64)) : memory);
  }
}
