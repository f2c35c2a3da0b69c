// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** Moves an operation on only when it is the oldest of its comm, as NCCL's Socket does. */
@Breaks(value = "NET-TEST-03", also = "NET-MEM-03")
public final class ReducesTheOldestOnly extends WrongCollNet {
  private final Map<CollComm, Deque<Request>> flying = new ConcurrentHashMap<>();

  @Override
  public @Nullable Request iallreduce(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long count,
      DataType dataType,
      ReductionOp op) {
    Request request =
        collNet.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
    if (request != null) {
      flying.computeIfAbsent(comm, absent -> new ConcurrentLinkedDeque<>()).add(request);
    }
    return request;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request == null || (sizes != null && sizes.length == 0)) {
      return super.test(request, sizes);
    }
    for (Deque<Request> requests : flying.values()) {
      if (requests.contains(request) && !request.equals(requests.peek())) {
        return false;
      }
    }
    boolean done;
    try {
      done = super.test(request, sizes);
    } catch (NetException e) {
      flying.values().forEach(requests -> requests.remove(request));
      throw e;
    }
    if (done) {
      flying.values().forEach(requests -> requests.remove(request));
    }
    return done;
  }

  @Override
  public void closeColl(CollComm comm) {
    super.closeColl(comm);
    flying.remove(comm);
  }
}
