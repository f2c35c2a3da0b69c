// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
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

/** A native collective network of {@code ncclCollNet_v8_t} as a Java one. */
public final class NativeCollNetV8 implements CollNet {
  private final NativeCollNet collNet;

  NativeCollNetV8(NativePlugin<CollNetFunction> plugin) {
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
        all.regIsGlobal(),
        all.speed(),
        all.port(),
        all.latency(),
        all.maxComms(),
        all.maxRecvs(),
        all.netDeviceType(),
        all.netDeviceVersion());
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
  public MemoryHandle regMrDmaBuf(CollComm comm, Memory memory, long offset, int fd) {
    return collNet.registrations().registerDmaBuf(collNet.own(comm), memory, offset, fd);
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
    return collNet
        .collectives()
        .iallgather(
            collNet.own(comm),
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
    return collNet
        .collectives()
        .ireducescatter(
            collNet.own(comm),
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

  @Override
  public boolean supports(OptionalOperation operation) {
    return collNet.supports(operation);
  }
}
