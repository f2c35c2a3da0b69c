// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v7.Net;
import io.nitinol.spi.net.v7.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A native network of {@code ncclNet_v7_t} as a Java one. */
public final class NativeNetV7 extends NativeNetFaceV7 implements Net {
  NativeNetV7(NativePlugin<NetFunction> plugin) {
    super(plugin);
  }

  @Override
  public void init(DebugLogger logger) {
    net.init(logger, null);
  }

  @Override
  public NetProperties getProperties(int device) {
    var all = net.devices().properties(device);
    return new NetProperties(
        all.name(),
        all.pciPath(),
        all.guid(),
        all.ptrSupport(),
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
    return net.listeners().open(0, device, handle);
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
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return net.transfers().isend(net.own(comm), mr, offset, length, tag, 0);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return net.transfers().irecv(net.own(comm), n, mrs, offsets, lengths, tags, null, 0);
  }
}
