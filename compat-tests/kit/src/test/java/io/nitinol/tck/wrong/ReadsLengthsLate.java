// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Looks at the array of lengths when the receive has completed. */
@Breaks(
    value = "NET-RECV-17",
    also = {"NET-MEM-02", "NET-MEM-03"})
public final class ReadsLengthsLate extends WrongNet {
  private final Map<Request, long[]> asked = new ConcurrentHashMap<>();

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Request request = super.irecv(comm, n, mrs, offsets, lengths, tags);
    if (request != null) {
      asked.put(request, lengths);
    }
    return request;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    boolean done = super.test(request, sizes);
    long[] lengths = done ? asked.remove(request) : null;
    for (int i = 0; lengths != null && sizes != null && i < lengths.length; i++) {
      sizes[i] = (int) Math.min(sizes[i], lengths[i]);
    }
    return done;
  }

  @Override
  public void closeRecv(RecvComm comm) {
    asked.clear();
    super.closeRecv(comm);
  }
}
