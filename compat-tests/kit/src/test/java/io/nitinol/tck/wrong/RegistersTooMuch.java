// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import java.lang.foreign.MemorySegment;

/** Takes the size of a registration as an int, in a version before adapters look at it. */
@Breaks("NET-REG-03")
public final class RegistersTooMuch extends WrongNetV4 {
  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    MemorySegment segment = memory.segment();
    return super.regMr(
        comm,
        segment != null && memory.size() > Integer.MAX_VALUE
            ? Memory.ofHost(segment.asSlice(0, Math.max(0, (int) memory.size())))
            : memory);
  }
}
