// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Takes sixteen operations at a time. It allocates for that. */
@Breaks(value = "COLL-11", also = "NET-MEM-03")
public final class KeepsFewInFlight extends WrongCollNet {
  private final Map<CollComm, AtomicInteger> flying = new ConcurrentHashMap<>();
  private final Map<Request, CollComm> owners = new ConcurrentHashMap<>();

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
    if (comm == null) {
      return collNet.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
    }
    AtomicInteger own = flying.computeIfAbsent(comm, absent -> new AtomicInteger());
    Request request =
        own.get() >= 16
            ? null
            : collNet.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
    if (request != null) {
      owners.put(request, comm);
      own.incrementAndGet();
    }
    return request;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    boolean done = super.test(request, sizes);
    CollComm comm = done ? owners.remove(request) : null;
    if (comm != null) {
      flying.get(comm).decrementAndGet();
    }
    return done;
  }
}
