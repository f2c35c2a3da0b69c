// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.samples.memory.MemoryNet12;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.NewestNet;
import org.jspecify.annotations.Nullable;

/** A right network whose devices are small. */
public final class SmallNet extends NewestNet {
  private final SmallDevice limits = SmallDevice.current();
  private final GlobalHandles<Comm> handles;

  /** Over the sample. */
  public SmallNet() {
    this(new MemoryNet12());
  }

  private SmallNet(MemoryNet12 sample) {
    super(sample);
    handles = new GlobalHandles<>(sample::regMr, sample::deregMr);
  }

  @Override
  public NetProperties getProperties(int device) {
    return limits.of(super.getProperties(device));
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    MemoryHandle handle = super.regMr(comm, memory);
    if (limits.global()) {
      handles.made(comm, memory, handle);
    }
    return handle;
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    super.deregMr(comm, handle);
    handles.undone(handle);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    limits.refuseMore(length);
    return super.isend(comm, handles.with(comm, mr), offset, length, tag, profilerHandle);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      int[] tags,
      long @Nullable [] profilerHandles,
      int hints) {
    for (int i = 0; lengths != null && i < Math.min(n, lengths.length); i++) {
      limits.refuseMore(lengths[i]);
    }
    return super.irecv(
        comm, n, handles.with(comm, mrs), offsets, lengths, tags, profilerHandles, hints);
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return super.iflush(comm, n, handles.with(comm, mrs), offsets, lengths);
  }

  @Override
  public void closeSend(SendComm comm) {
    super.closeSend(comm);
    handles.closed(comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    super.closeRecv(comm);
    handles.closed(comm);
  }
}
