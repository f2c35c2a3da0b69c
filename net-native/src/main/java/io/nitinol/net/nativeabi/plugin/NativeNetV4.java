// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v4.Net;
import io.nitinol.spi.net.v4.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A native network of {@code ncclNet_v4_t} as a Java one; {@code ncclNet_v2_t} and {@code
 * ncclNet_v3_t} pass for it, too.
 */
public final class NativeNetV4 extends NativeNetFace implements Net {
  NativeNetV4(NativePlugin<NetFunction> plugin) {
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
        all.maxComms());
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return net.listeners().open(0, device, handle);
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    return net.links().connect(0, device, null, handle, null);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    return net.links().accept(net.own(listenComm), null);
  }

  @Override
  public @Nullable Request isend(SendComm comm, MemoryHandle mr, long offset, long length) {
    return net.transfers().isend(net.own(comm), mr, offset, length, 0, 0);
  }

  @Override
  public @Nullable Request irecv(RecvComm comm, MemoryHandle mr, long offset, long length) {
    return net.transfers().irecv(net.own(comm), mr, offset, length);
  }

  @Override
  public @Nullable Request iflush(RecvComm comm, MemoryHandle mr, long offset, long length) {
    return net.transfers().iflush(net.own(comm), mr, offset, length);
  }
}
