// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
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
public final class NativeNetV4 implements Net {
  private final NativeNet net;

  NativeNetV4(NativePlugin<NetFunction> plugin) {
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
        all.speed(),
        all.port(),
        all.maxComms());
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return net.links().listen(0, device, handle);
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
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return net.registrations().register(net.own(comm), memory);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    net.registrations().undo(net.own(comm), handle);
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
}
