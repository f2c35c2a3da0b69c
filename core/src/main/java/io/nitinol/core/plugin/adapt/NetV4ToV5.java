// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v5.Net;
import io.nitinol.spi.net.v5.NetProperties;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A version 4 network as version 5: the plugin sees 64 bytes of a handle and no tags, and receives
 * one buffer per call. Nothing of the plugin is asked for before the caller asks, since a plugin
 * may know its devices only after {@code init}.
 */
public final class NetV4ToV5 implements Net {

  private final io.nitinol.spi.net.v4.Net net;

  /** Wraps {@code net} without calling it. */
  public NetV4ToV5(io.nitinol.spi.net.v4.Net net) {
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
    return PropertySteps.v4ToV5(net.getProperties(device));
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return net.listen(device, V4Handles.cleared(handle));
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    return net.connect(device, V4Handles.narrow(handle));
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
    return net.isend(comm, mr, offset, length);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    // Also for none: null would say "later" for ever, and there is no request to give.
    requireOne("irecv", n);
    return net.irecv(comm, mrs[0], offsets[0], lengths[0]);
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    if (n == 0) {
      return null;
    }
    requireOne("iflush", n);
    return net.iflush(comm, mrs[0], offsets[0], lengths[0]);
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

  private void requireOne(String call, int n) {
    if (n != 1) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "%s of %d buffers on %s: a version 4 plugin takes one (maxRecvs is 1)",
              call, n, net.name()));
    }
  }
}
