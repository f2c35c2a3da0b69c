// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v7.Net;
import io.nitinol.spi.net.v7.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A version 6 network as version 7: its connections are moved by the host alone, since it knows no
 * device offload.
 */
public final class NetV6ToV7 implements Net {
  private final io.nitinol.spi.net.v6.Net net;

  /** Wraps {@code net} without calling it. */
  public NetV6ToV7(io.nitinol.spi.net.v6.Net net) {
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
    return PropertySteps.v6ToV7(net.getProperties(device));
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return net.listen(device, handle);
  }

  @Override
  public @Nullable SendComm connect(
      int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    declineOffload(deviceHandle);
    return net.connect(device, handle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
    declineOffload(deviceHandle);
    return net.accept(listenComm);
  }

  private static void declineOffload(@Nullable DeviceHandle[] deviceHandle) {
    if (deviceHandle.length == 0) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          "the array for a device handle is empty, expected 1 element");
    }
    deviceHandle[0] = null;
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
  public void closeListen(ListenComm listenComm) {
    net.closeListen(listenComm);
  }

  @Override
  public long getDeviceMr(Comm comm, MemoryHandle handle) {
    throw Unsupported.by(net.name(), 7, "give registrations to code on a device");
  }

  @Override
  public void irecvConsumed(RecvComm comm, int n, Request request) {
    throw Unsupported.by(net.name(), 7, "end a receive on a device");
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return false;
  }
}
