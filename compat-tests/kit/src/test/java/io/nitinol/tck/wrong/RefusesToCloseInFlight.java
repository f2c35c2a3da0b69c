// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Complains about receives that are under way when it is closed. */
@Breaks(value = "NET-CLOSE-02", also = "NET-REG-09")
public final class RefusesToCloseInFlight extends WrongNet {
  private final Map<Request, RecvComm> receives =
      Collections.synchronizedMap(new IdentityHashMap<>());

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Request request = net.irecv(comm, n, mrs, offsets, lengths, tags);
    if (request != null) {
      receives.put(request, comm);
    }
    return request;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    boolean done;
    try {
      done = net.test(request, sizes);
    } catch (NetException e) {
      if (request != null && e.result() != ResultCode.INVALID_ARGUMENT) {
        receives.remove(request);
      }
      throw e;
    }
    if (done) {
      receives.remove(request);
    }
    return done;
  }

  @Override
  public void closeRecv(RecvComm comm) {
    net.closeRecv(comm);
    if (receives.values().removeIf(receiving -> receiving.equals(comm))) {
      throw new NetException(ResultCode.INVALID_USAGE, "receives are in flight");
    }
  }
}
