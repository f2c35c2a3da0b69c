// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Ends a group when the listener of one of its members is closed. It allocates for that. */
@Breaks(value = "COLL-20", also = "NET-MEM-03")
public final class EndsGroupsWithTheirListeners extends WrongCollNet {
  private final Map<ListenComm, CollComm> comms = new ConcurrentHashMap<>();
  private final Set<CollComm> dead = ConcurrentHashMap.newKeySet();
  private final Map<Request, CollComm> owners = new ConcurrentHashMap<>();

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    CollComm comm = super.connect(handles, nranks, rank, listenComm);
    comms.put(listenComm, comm);
    return comm;
  }

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
    check(comm);
    Request request =
        collNet.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
    if (request != null) {
      owners.put(request, comm);
    }
    return request;
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    check(request == null ? null : owners.get(request));
    return super.test(request, sizes);
  }

  private void check(@Nullable CollComm comm) {
    if (comm != null && dead.contains(comm)) {
      throw new NetException(ResultCode.REMOTE_ERROR, "the listener is closed");
    }
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    super.closeListen(listenComm);
    CollComm comm = comms.get(listenComm);
    if (comm != null) {
      dead.add(comm);
    }
  }
}
