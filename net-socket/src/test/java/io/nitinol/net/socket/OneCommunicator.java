// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.config.SocketOptions;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A plugin and the one communicator that uses it, without what one does not need: no device
 * offload, no profiler, no hints.
 */
final class OneCommunicator {
  final SocketNet plugin;
  final SocketContext context;

  OneCommunicator(SocketNet plugin, DebugLogger log) {
    this.plugin = plugin;
    this.context = (SocketContext) plugin.init(1, NetCommConfig.DEFAULT, log, null);
  }

  int devices() {
    return plugin.devices();
  }

  NetProperties getProperties(int device) {
    return plugin.getProperties(device);
  }

  SocketOptions options() {
    return plugin.wires().options();
  }

  /** Returns how many connections are on their way. */
  int connectsUnderWay() {
    return context.connects().underWay();
  }

  ListenComm listen(int device, MemorySegment handle) {
    return plugin.listen(context, device, handle);
  }

  @Nullable SendComm connect(int device, MemorySegment handle) {
    return plugin.connect(context, device, handle, new DeviceHandle[1]);
  }

  @Nullable RecvComm accept(ListenComm listener) {
    return plugin.accept(listener, new DeviceHandle[1]);
  }

  MemoryHandle regMr(Comm comm, Memory memory) {
    return plugin.regMr(comm, memory);
  }

  MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    return plugin.regMrDmaBuf(comm, memory, offset, fd);
  }

  void deregMr(Comm comm, MemoryHandle handle) {
    plugin.deregMr(comm, handle);
  }

  @Nullable Request isend(SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return plugin.isend(comm, mr, offset, length, tag, 0);
  }

  @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    return plugin.irecv(comm, n, mrs, offsets, lengths, tags, null, 0);
  }

  @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return plugin.iflush(comm, n, mrs, offsets, lengths);
  }

  boolean test(Request request, int @Nullable [] sizes) {
    return plugin.test(request, sizes);
  }

  void closeSend(SendComm comm) {
    plugin.closeSend(comm);
  }

  void closeRecv(RecvComm comm) {
    plugin.closeRecv(comm);
  }

  void closeListen(ListenComm listener) {
    plugin.closeListen(listener);
  }
}
