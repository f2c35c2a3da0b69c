// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A test with too short an array is refused and ends the request. */
@Breaks("NET-TEST-07")
public final class ForgetsARequestOverAShortArray extends WrongNet {
  private final Set<Request> forgotten = ConcurrentHashMap.newKeySet();

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return made(super.isend(comm, mr, offset, length, tag));
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return made(super.irecv(comm, n, mrs, offsets, lengths, tags));
  }

  private @Nullable Request made(@Nullable Request request) {
    if (request != null) {
      forgotten.remove(request);
    }
    return request;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request != null && forgotten.contains(request)) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "no request in flight");
    }
    try {
      return super.test(request, sizes);
    } catch (NetException e) {
      if (request != null
          && e.result() == ResultCode.INVALID_ARGUMENT
          && sizes != null
          && sizes.length < 8) {
        forgotten.add(request);
      }
      throw e;
    }
  }
}
