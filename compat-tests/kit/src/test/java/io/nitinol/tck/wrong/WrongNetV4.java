// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.samples.netv4.SampleV4;
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

/** A right network of version 4, except where a subclass overrides it. */
abstract class WrongNetV4 implements Net {
  /** The right one. */
  final Net net = new SampleV4();

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
  public NetProperties getProperties(int device) {
    return net.getProperties(device);
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
  public @Nullable Request isend(SendComm comm, MemoryHandle mr, long offset, long length) {
    return net.isend(comm, mr, offset, length);
  }

  @Override
  public @Nullable Request irecv(RecvComm comm, MemoryHandle mr, long offset, long length) {
    return net.irecv(comm, mr, offset, length);
  }

  @Override
  public @Nullable Request iflush(RecvComm comm, MemoryHandle mr, long offset, long length) {
    return net.iflush(comm, mr, offset, length);
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
