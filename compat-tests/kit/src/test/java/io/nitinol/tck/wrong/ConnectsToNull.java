// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Returns null from connect where a member is not there yet, as a Net would. */
@Breaks("COLL-03")
public final class ConnectsToNull extends WrongCollNet {
  private final Set<ListenComm> asked = ConcurrentHashMap.newKeySet();

  @Override
  @SuppressWarnings("NullAway") // the mistake
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    if (handles != null && rank == 1 && handles.length > 1 && nranks > 3 && asked.add(listenComm)) {
      return null;
    }
    return super.connect(handles, nranks, rank, listenComm);
  }
}
