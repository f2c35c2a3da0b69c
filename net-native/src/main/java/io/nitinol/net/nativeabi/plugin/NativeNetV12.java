// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A native network of {@code ncclNet_v12_t} as a Java one. */
public final class NativeNetV12 extends NativeNetFaceV7 implements Net {
  NativeNetV12(NativePlugin<NetFunction> plugin) {
    super(plugin);
  }

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    return net.init(commId, config, logger, profiler);
  }

  @Override
  public NetProperties getProperties(int device) {
    return net.devices().properties(device);
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    return net.listeners().open(net.own(context).address, device, handle);
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
}
