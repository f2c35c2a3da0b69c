// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v9.Net;
import io.nitinol.spi.net.v9.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A native network of {@code ncclNet_v9_t} as a Java one. */
public final class NativeNetV9 implements Net {
  private final NativeNet net;

  NativeNetV9(NativePlugin<NetFunction> plugin) {
    this.net = new NativeNet(plugin);
  }

  @Override
  public String name() {
    return net.name();
  }

  @Override
  public void init(DebugLogger logger) {
    net.init(logger, null);
  }

  @Override
  public int devices() {
    return net.devices().count();
  }

  @Override
  public NetProperties getProperties(int device) {
    var all = net.devices().properties(device);
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
        all.maxCollBytes());
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return net.links().listen(0, device, handle);
  }

  @Override
  public @Nullable SendComm connect(
      int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    return net.links().connect(0, device, null, handle, deviceHandle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
    return net.links().accept(net.own(listenComm), deviceHandle);
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return net.registrations().register(net.own(comm), memory);
  }

  @Override
  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    return net.registrations().registerDmaBuf(net.own(comm), memory, offset, fd);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    net.registrations().undo(net.own(comm), handle);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return net.transfers().isend(net.own(comm), mr, offset, length, tag, 0);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      int[] tags,
      int hints) {
    return net.transfers().irecv(net.own(comm), n, mrs, offsets, lengths, tags, null, hints);
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return net.transfers().iflush(net.own(comm), n, mrs, offsets, lengths);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return net.transfers().test(net.own(request), sizes);
  }

  @Override
  public void closeSend(SendComm comm) {
    net.links().close(net.own(comm));
  }

  @Override
  public void closeRecv(RecvComm comm) {
    net.links().close(net.own(comm));
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    net.links().close(net.own(listenComm));
  }

  @Override
  public long getDeviceMr(Comm comm, MemoryHandle handle) {
    return net.getDeviceMr(comm, handle);
  }

  @Override
  public void irecvConsumed(RecvComm comm, int n, Request request) {
    net.irecvConsumed(comm, n, request);
  }

  @Override
  public int makeVDevice(VirtualDevice devices) {
    return net.devices().makeVDevice(devices);
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return net.supports(operation);
  }
}
