// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Allows the last of several pieces to end a byte behind its registration. */
@Breaks("NET-RECV-16")
public final class AllowsTheLastPieceAByteMore extends WatchingNet {
  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    int last = n - 1;
    if (n > 1 && n <= Math.min(mrs.length, Math.min(offsets.length, lengths.length))) {
      Memory memory = mrs[last] == null ? null : memoryOf(mrs[last]);
      if (memory != null
          && offsets[last] >= 0
          && lengths[last] > 0
          && offsets[last] + lengths[last] == memory.size() + 1) {
        long[] shorter = lengths.clone();
        shorter[last]--;
        return super.irecv(comm, n, mrs, offsets, shorter, tags);
      }
    }
    return super.irecv(comm, n, mrs, offsets, lengths, tags);
  }
}
