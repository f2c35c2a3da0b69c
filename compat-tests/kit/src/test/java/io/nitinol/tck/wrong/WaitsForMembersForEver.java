// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Goes on waiting when a member cannot come any more. */
@Breaks("COLL-04")
public final class WaitsForMembersForEver extends WrongCollNet {
  private static final long LONG = TimeUnit.SECONDS.toNanos(100);

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    try {
      return super.connect(handles, nranks, rank, listenComm);
    } catch (NetException e) {
      if (e.result() == ResultCode.REMOTE_ERROR || e.result() == ResultCode.TIMEOUT) {
        long end = System.nanoTime() + LONG;
        while (System.nanoTime() - end < 0) {
          LockSupport.parkNanos(LONG);
        }
      }
      throw e;
    }
  }
}
