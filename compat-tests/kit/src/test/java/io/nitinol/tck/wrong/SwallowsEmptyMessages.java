// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Completes a send of 0 bytes and sends nothing. */
@Breaks("NET-SEND-07")
public final class SwallowsEmptyMessages extends WatchingNet {
  private static final class Nothing implements Request {}

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    Memory memory = mr == null || commOf(mr) != comm ? null : memoryOf(mr);
    if (length == 0 && memory != null && offset >= 0 && offset <= memory.size()) {
      return new Nothing();
    }
    return super.isend(comm, mr, offset, length, tag);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return request instanceof Nothing || super.test(request, sizes);
  }
}
