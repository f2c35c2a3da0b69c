// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A native network of {@code ncclNet_v12_t} as a Java one. */
public final class NativeNetV12 implements Net {
  private final NativeNet net;

  NativeNetV12(NativePlugin<NetFunction> plugin) {
    this.net = new NativeNet(plugin);
  }

  @Override
  public String name() {
    return net.name();
  }

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    return net.init(commId, config, logger, profiler);
  }

  @Override
  public int devices() {
    return net.devices().count();
  }

  @Override
  public NetProperties getProperties(int device) {
    return net.devices().properties(device);
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    return net.links().listen(net.own(context).address, device, handle);
  }

  @Override
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    return net.links().connect(net.own(context).address, device, null, handle, deviceHandle);
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
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    return net.transfers().isend(net.own(comm), mr, offset, length, tag, profilerHandle);
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
    return net.transfers()
        .irecv(net.own(comm), n, mrs, offsets, lengths, tags, profilerHandles, hints);
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
  public void finalizeContext(NetContext context) {
    net.finalizeContext(context);
  }

  @Override
  public void setNetAttr(NetContext context, NetAttributes attributes) {
    net.setNetAttr(context, attributes);
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return net.supports(operation);
  }
}
