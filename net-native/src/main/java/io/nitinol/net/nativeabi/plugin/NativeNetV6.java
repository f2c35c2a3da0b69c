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
import io.nitinol.spi.net.v6.Net;
import io.nitinol.spi.net.v6.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A native network of {@code ncclNet_v6_t} as a Java one. */
public final class NativeNetV6 extends NativeNetFace implements Net {
  NativeNetV6(NativePlugin<NetFunction> plugin) {
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
        all.maxRecvs());
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
  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    return net.registrations().registerDmaBuf(net.own(comm), memory, offset, fd);
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

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return net.transfers().iflush(net.own(comm), n, mrs, offsets, lengths);
  }
}
