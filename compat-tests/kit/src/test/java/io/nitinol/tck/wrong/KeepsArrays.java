// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Keeps the last array of tags. */
@Breaks("NET-MEM-02")
public final class KeepsArrays extends WrongNet {
  private int @Nullable [] last;

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
    last = tags;
    return request;
  }

  @Override
  public String name() {
    return last == null ? "SampleMemory" : super.name();
  }
}
