// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;

/** Takes a rank that is too large for the last one. */
@Breaks("COLL-02")
public final class AcceptsAnyRank extends WrongCollNet {
  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    return super.connect(handles, nranks, rank == nranks ? 0 : rank, listenComm);
  }
}
