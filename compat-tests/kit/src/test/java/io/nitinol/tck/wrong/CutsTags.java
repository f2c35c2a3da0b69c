// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Keeps the lower half of a tag. */
@Breaks("NET-RECV-14")
public final class CutsTags extends WrongNet {
  private final ThreadLocal<int[]> halves = ThreadLocal.withInitial(() -> new int[8]);

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return super.isend(comm, mr, offset, length, tag & 0xFFFF);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    if (tags == null || tags.length < n || n < 0 || n > 8) {
      return super.irecv(comm, n, mrs, offsets, lengths, tags);
    }
    int[] cut = halves.get();
    for (int i = 0; i < n; i++) {
      cut[i] = tags[i] & 0xFFFF;
    }
    return super.irecv(comm, n, mrs, offsets, lengths, cut);
  }
}
