// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v4.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v4.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A native collective network of {@code ncclCollNet_v4_t} as a Java one. */
public final class NativeCollNetV4 implements CollNet {
  private final NativeCollNet collNet;

  NativeCollNetV4(NativePlugin<CollNetFunction> plugin) {
    this.collNet = new NativeCollNet(plugin);
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
    return collNet.devices().count();
  }

  @Override
  public NetProperties getProperties(int device) {
    var all = collNet.devices().properties(device);
    return new NetProperties(
        all.name(),
        all.pciPath(),
        all.guid(),
        all.ptrSupport(),
        all.speed(),
        all.port(),
        all.maxComms());
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return collNet.listen(0, device, handle);
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
    return collNet.registrations().register(collNet.own(comm), memory);
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    collNet.registrations().undo(collNet.own(comm), handle);
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
    return collNet
        .collectives()
        .iallreduce(collNet.own(comm), sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
  }

  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    return collNet.collectives().iflush(collNet.own(comm), mr, offset, length);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return collNet.collectives().test(collNet.own(request), sizes);
  }

  @Override
  public void closeColl(CollComm comm) {
    collNet.closeColl(comm);
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    collNet.closeListen(listenComm);
  }
}
