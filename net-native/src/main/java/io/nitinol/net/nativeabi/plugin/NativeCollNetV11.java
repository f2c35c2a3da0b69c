// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v11.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v11.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A native collective network of {@code ncclCollNet_v11_t} as a Java one. */
public final class NativeCollNetV11 implements CollNet {
  private final NativeCollNet collNet;

  NativeCollNetV11(NativePlugin<CollNetFunction> plugin) {
    this.collNet = new NativeCollNet(plugin);
  }

  @Override
  public String name() {
    return collNet.name();
  }

  @Override
  public NetContext init(long commId, DebugLogger logger) {
    return collNet.init(commId, logger);
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
        all.forceFlush(),
        all.speed(),
        all.port(),
        all.latency(),
        all.maxComms(),
        all.maxRecvs(),
        all.netDeviceType(),
        all.netDeviceVersion(),
        all.virtualDevice(),
        all.maxP2pBytes(),
        all.maxCollBytes(),
        all.maxMultiRequestSize());
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    return collNet.listen(collNet.own(context).address, device, handle);
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
  public int makeVDevice(VirtualDevice devices) {
    return collNet.devices().makeVDevice(devices);
  }

  @Override
  public void finalizeContext(NetContext context) {
    collNet.finalizeContext(context);
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return collNet.supports(operation);
  }
}
