// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Posts the pieces of a receive that it finds right and complains about the others. */
@Breaks("NET-RECV-16")
public final class PostsPartOfAReceive extends WrongNet {
  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    try {
      return super.irecv(comm, n, mrs, offsets, lengths, tags);
    } catch (NetException e) {
      if (n > 1
          && n <= 8
          && n <= Math.min(mrs.length, tags.length)
          && n <= Math.min(offsets.length, lengths.length)) {
        super.irecv(comm, 1, mrs, offsets, lengths, tags);
      }
      throw e;
    }
  }
}
