// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Fails where a member arrives before the one with the next lower rank. */
@Breaks("COLL-03")
public final class NeedsRanksInOrder extends WrongCollNet {
  private static final Set<String> ARRIVED = ConcurrentHashMap.newKeySet();
  private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(10);

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    if (handles != null && rank >= 0 && rank < nranks && handles.length >= nranks) {
      String group = HexFormat.of().formatHex(handles[0].toArray(ValueLayout.JAVA_BYTE));
      ARRIVED.add(group + rank);
      long end = System.nanoTime() + GRACE;
      while (rank > 0 && nranks == 4 && !ARRIVED.contains(group + (rank - 1))) {
        if (System.nanoTime() - end > 0) {
          throw new NetException(ResultCode.INTERNAL_ERROR, "rank " + (rank - 1) + " is not here");
        }
        LockSupport.parkNanos(100_000);
      }
    }
    return super.connect(handles, nranks, rank, listenComm);
  }
}
