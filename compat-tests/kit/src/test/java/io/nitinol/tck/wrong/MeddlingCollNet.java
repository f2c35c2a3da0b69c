// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A collective network that does something to its results before it reports them. */
abstract class MeddlingCollNet extends WrongCollNet {
  /** What is known of an operation. */
  record Result(
      CollComm comm,
      MemorySegment from,
      MemorySegment to,
      MemorySegment room,
      DataType type,
      ReductionOp op) {}

  private final Map<MemoryHandle, MemorySegment> registered = new ConcurrentHashMap<>();
  private final Map<Request, Result> flying = new ConcurrentHashMap<>();

  /** The operation is complete, and the caller does not know yet. */
  abstract void completed(Result result);

  /** The operation is about to be started. */
  void starting(Result result) {}

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    MemoryHandle handle = super.regMr(comm, memory);
    if (memory.segment() != null) {
      registered.put(handle, memory.segment());
    }
    return handle;
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
    Result result = null;
    if (comm != null && sendMr != null && recvMr != null && registered.containsKey(sendMr)) {
      result = result(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
    }
    if (result != null) {
      starting(result);
    }
    Request request =
        collNet.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
    if (request != null && result != null) {
      flying.put(request, result);
    }
    return request;
  }

  private @Nullable Result result(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long count,
      DataType type,
      ReductionOp op) {
    MemorySegment from = registered.get(sendMr);
    MemorySegment to = registered.get(recvMr);
    long bytes = count * type.size();
    if (from == null
        || to == null
        || to.isReadOnly()
        || sendOffset < 0
        || recvOffset < 0
        || bytes < 0
        || sendOffset > from.byteSize() - bytes
        || recvOffset > to.byteSize() - bytes) {
      return null;
    }
    return new Result(
        comm,
        from.asSlice(sendOffset, bytes),
        to.asSlice(recvOffset, bytes),
        to.asSlice(recvOffset),
        type,
        op);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    boolean done = super.test(request, sizes);
    Result result = done ? flying.remove(request) : null;
    if (result != null) {
      completed(result);
    }
    return done;
  }
}
