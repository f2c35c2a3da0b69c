// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Forgets to report the 200th receive of a KiB on a comm. */
@Breaks("NET-TEST-05")
public final class DropsACompletion extends WrongNet {
  private final Map<RecvComm, int[]> counts = new ConcurrentHashMap<>();
  private final Set<Request> dropped = ConcurrentHashMap.newKeySet();

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
    if (request != null) {
      dropped.remove(request);
    }
    if (request != null && lengths[0] == 1 << 10) {
      int[] count = counts.get(comm);
      if (count == null) {
        count = new int[1];
        counts.put(comm, count);
      }
      if (++count[0] == 200) {
        dropped.add(request);
      }
    }
    return request;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return (request == null || !dropped.contains(request)) && super.test(request, sizes);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    if (comm != null) {
      counts.remove(comm);
    }
    super.closeRecv(comm);
  }
}
