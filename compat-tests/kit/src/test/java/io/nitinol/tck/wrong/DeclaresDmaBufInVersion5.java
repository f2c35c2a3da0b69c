// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.samples.netv5.SampleV5;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v5.Net;
import io.nitinol.spi.net.v5.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Fills the properties of version 5 as it does those of version 6. */
@Breaks(
    value = "NET-V5-01",
    also = {"NET-DEV-05", "NET-DEV-08"})
public final class DeclaresDmaBufInVersion5 implements Net {
  private final Net net = new SampleV5();

  @Override
  public NetProperties getProperties(int device) {
    NetProperties p = net.getProperties(device);
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport() | PointerType.DMABUF.mask(),
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs());
  }

  @Override
  public String name() {
    return net.name();
  }

  @Override
  public void init(DebugLogger logger) {
    net.init(logger);
  }

  @Override
  public int devices() {
    return net.devices();
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return net.listen(device, handle);
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    return net.connect(device, handle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    return net.accept(listenComm);
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return net.regMr(comm, memory);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    net.deregMr(comm, handle);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return net.isend(comm, mr, offset, length, tag);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return net.irecv(comm, n, mrs, offsets, lengths, tags);
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return net.iflush(comm, n, mrs, offsets, lengths);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return net.test(request, sizes);
  }

  @Override
  public void closeSend(SendComm comm) {
    net.closeSend(comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    net.closeRecv(comm);
  }

  @Override
  public void closeListen(ListenComm comm) {
    net.closeListen(comm);
  }
}
