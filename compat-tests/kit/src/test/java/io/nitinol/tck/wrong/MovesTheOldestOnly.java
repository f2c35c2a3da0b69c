// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Moves a comm on only when its oldest operation is tested. */
@Breaks(value = "NET-TEST-03", also = "NET-ERR-05")
public final class MovesTheOldestOnly extends WatchingNet {
  private final Map<Comm, Deque<Request>> queues = new ConcurrentHashMap<>();

  private @Nullable Request started(Comm comm, @Nullable Request request) {
    if (request != null) {
      queues.computeIfAbsent(comm, key -> new ArrayDeque<>(512)).addLast(request);
    }
    return request;
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return started(comm, super.isend(comm, mr, offset, length, tag));
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return started(comm, super.irecv(comm, n, mrs, offsets, lengths, tags));
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    Op op = request == null ? null : op(request);
    Deque<Request> queue =
        op == null || sizes != null && sizes.length < op.pieces ? null : queues.get(op.comm);
    if (queue == null) {
      return super.test(request, sizes);
    }
    if (queue.peekFirst() != request) {
      return false;
    }
    try {
      boolean done = super.test(request, sizes);
      if (done) {
        queue.removeFirst();
      }
      return done;
    } catch (NetException e) {
      queue.removeFirst();
      throw e;
    }
  }

  @Override
  public void closeSend(SendComm comm) {
    if (comm != null) {
      queues.remove(comm);
    }
    super.closeSend(comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    if (comm != null) {
      queues.remove(comm);
    }
    super.closeRecv(comm);
  }
}
