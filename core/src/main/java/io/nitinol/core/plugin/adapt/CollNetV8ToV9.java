// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v9.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v9.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A version 8 collective network as version 9: operations that are larger than what it has promised
 * fail instead of being cut, and its devices stay single.
 */
public final class CollNetV8ToV9 implements CollNet {
  private final io.nitinol.spi.collnet.v8.CollNet collNet;

  /** Wraps {@code collNet} without calling it. */
  public CollNetV8ToV9(io.nitinol.spi.collnet.v8.CollNet collNet) {
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
    return PropertySteps.v8ToV9(collNet.getProperties(device), device);
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
    if (count > Limits.MESSAGE_BYTES) {
      throw Limits.count(collNet.name(), count);
    }
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
    if (Limits.isTooMuch(n, recvLengths)) {
      throw Limits.pieces(collNet.name(), n, recvLengths);
    }
    return collNet.iallgather(
        comm,
        sendMr,
        sendOffset,
        n,
        recvMrs,
        recvOffsets,
        recvLengths,
        bytesPerRank,
        windowOffset,
        windowBytes);
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
    if (Limits.isTooMuch(n, sendLengths)) {
      throw Limits.pieces(collNet.name(), n, sendLengths);
    }
    return collNet.ireducescatter(
        comm,
        n,
        sendMrs,
        sendOffsets,
        sendLengths,
        recvMr,
        recvOffset,
        bytesPerRank,
        windowOffset,
        windowBytes,
        dataType,
        op);
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
  public int makeVDevice(VirtualDevice devices) {
    throw Unsupported.by(collNet.name(), 9, "make several devices one");
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return operation != OptionalOperation.MAKE_VDEVICE && collNet.supports(operation);
  }
}
