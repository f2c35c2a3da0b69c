// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Fills the pieces of a receive in the order in which messages come. */
@Breaks("NET-RECV-09")
public final class IgnoresTags extends WrongNet {
  private static final int[] ONE_TAG = new int[8];

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return super.isend(comm, mr, offset, length, 0);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return super.irecv(
        comm, n, mrs, offsets, lengths, tags != null && tags.length >= n ? ONE_TAG : tags);
  }
}
