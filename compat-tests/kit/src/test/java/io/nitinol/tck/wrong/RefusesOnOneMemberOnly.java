// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;

/** Refuses a large group on its first member; the others learn that it has gone. */
@Breaks("COLL-05")
public final class RefusesOnOneMemberOnly extends WrongCollNet {
  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    if (nranks == 9 && rank != 0) {
      throw new NetException(ResultCode.REMOTE_ERROR, "rank 0 does not serve a group of nine");
    }
    if (nranks == 9) {
      throw new NetException(ResultCode.INVALID_USAGE, "a group of nine");
    }
    return super.connect(handles, nranks, rank, listenComm);
  }
}
