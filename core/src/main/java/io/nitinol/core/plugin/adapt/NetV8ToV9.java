// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

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

/**
 * A version 8 network as version 9: messages that are longer than what it has promised fail instead
 * of being cut, hints are not passed on, and its devices stay single.
 */
public final class NetV8ToV9 implements Net {
  private final io.nitinol.spi.net.v8.Net net;

  /** Wraps {@code net} without calling it. */
  public NetV8ToV9(io.nitinol.spi.net.v8.Net net) {
    this.net = net;
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
  public NetProperties getProperties(int device) {
    return PropertySteps.v8ToV9(net.getProperties(device), device);
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return net.listen(device, handle);
  }

  @Override
  public @Nullable SendComm connect(
      int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    return net.connect(device, handle, deviceHandle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
    return net.accept(listenComm, deviceHandle);
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return net.regMr(comm, memory);
  }

  @Override
  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    return net.regMrDmaBuf(comm, memory, offset, fd);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    net.deregMr(comm, handle);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    if (length > Limits.MESSAGE_BYTES) {
      throw Limits.message(net.name(), "sends", length);
    }
    return net.isend(comm, mr, offset, length, tag);
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
    long tooLong = Limits.tooLong(n, lengths);
    if (tooLong > 0) {
      throw Limits.message(net.name(), "receives", tooLong);
    }
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
  public void closeListen(ListenComm listenComm) {
    net.closeListen(listenComm);
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
    throw Unsupported.by(net.name(), 9, "make several devices one");
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return operation != OptionalOperation.MAKE_VDEVICE && net.supports(operation);
  }
}
