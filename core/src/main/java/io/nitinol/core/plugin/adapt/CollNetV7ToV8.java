// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v8.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v8.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A version 7 collective network as version 8: it reduces to all, and neither gathers nor scatters.
 */
public final class CollNetV7ToV8 implements CollNet {
  private final io.nitinol.spi.collnet.v7.CollNet collNet;

  /** Wraps {@code collNet} without calling it. */
  public CollNetV7ToV8(io.nitinol.spi.collnet.v7.CollNet collNet) {
    this.collNet = collNet;
  }

  @Override
  public String name() {
    return collNet.name();
  }

  @Override
  public void init(DebugLogger logger) {
    collNet.init(logger);
  }

  @Override
  public int devices() {
    return collNet.devices();
  }

  @Override
  public NetProperties getProperties(int device) {
    return PropertySteps.v7ToV8(collNet.getProperties(device));
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return collNet.listen(device, handle);
  }

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    return collNet.connect(handles, nranks, rank, listenComm);
  }

  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    return collNet.reduceSupport(dataType, op);
  }

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    if (memory.size() > Integer.MAX_VALUE) {
      throw Limits.registration(collNet.name(), memory.size());
    }
    return collNet.regMr(comm, memory);
  }

  @Override
  public MemoryHandle regMrDmaBuf(CollComm comm, Memory memory, long offset, int fd) {
    return collNet.regMrDmaBuf(comm, memory, offset, fd);
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    collNet.deregMr(comm, handle);
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
    return collNet.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
  }

  @Override
  public @Nullable Request iallgather(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      int n,
      MemoryHandle[] recvMrs,
      long[] recvOffsets,
      long[] recvLengths,
      long bytesPerRank,
      long windowOffset,
      long windowBytes) {
    throw Unsupported.by(collNet.name(), 8, "gather");
  }

  @Override
  public @Nullable Request ireducescatter(
      CollComm comm,
      int n,
      MemoryHandle[] sendMrs,
      long[] sendOffsets,
      long[] sendLengths,
      MemoryHandle recvMr,
      long recvOffset,
      long bytesPerRank,
      long windowOffset,
      long windowBytes,
      DataType dataType,
      ReductionOp op) {
    throw Unsupported.by(collNet.name(), 8, "reduce and scatter");
  }

  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    return collNet.iflush(comm, mr, offset, length);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return collNet.test(request, sizes);
  }

  @Override
  public void closeColl(CollComm comm) {
    collNet.closeColl(comm);
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    collNet.closeListen(listenComm);
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return false;
  }
}
