// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.samples.memory.MemoryCollNet12;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.NewestCollNet;
import org.jspecify.annotations.Nullable;

/** A right CollNet whose devices are small. */
public final class SmallCollNet extends NewestCollNet {
  private final SmallDevice limits = SmallDevice.current();
  private final GlobalHandles<CollComm> handles;

  /** Over the sample. */
  public SmallCollNet() {
    this(new MemoryCollNet12());
  }

  private SmallCollNet(MemoryCollNet12 sample) {
    super(sample);
    handles = new GlobalHandles<>(sample::regMr, sample::deregMr);
  }

  @Override
  public NetProperties getProperties(int device) {
    return limits.of(super.getProperties(device));
  }

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    MemoryHandle handle = super.regMr(comm, memory);
    if (limits.global()) {
      handles.made(comm, memory, handle);
    }
    return handle;
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    super.deregMr(comm, handle);
    handles.undone(handle);
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
    limits.refuseMore(count > limits.most() ? count : count * dataType.size());
    return super.iallreduce(
        comm,
        handles.with(comm, sendMr),
        sendOffset,
        handles.with(comm, recvMr),
        recvOffset,
        count,
        dataType,
        op);
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
    limits.refuseMore(windowBytes);
    return super.iallgather(
        comm,
        handles.with(comm, sendMr),
        sendOffset,
        n,
        handles.with(comm, recvMrs),
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
    limits.refuseMore(windowBytes);
    return super.ireducescatter(
        comm,
        n,
        handles.with(comm, sendMrs),
        sendOffsets,
        sendLengths,
        handles.with(comm, recvMr),
        recvOffset,
        bytesPerRank,
        windowOffset,
        windowBytes,
        dataType,
        op);
  }

  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    return super.iflush(comm, handles.with(comm, mr), offset, length);
  }

  @Override
  public void closeColl(CollComm comm) {
    super.closeColl(comm);
    handles.closed(comm);
  }
}
