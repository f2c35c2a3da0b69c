// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a native network that are alike in every version of the Java interface. The
 * methods are those of the interfaces; what differs is in the class of each version.
 */
abstract class NativeNetFace {
  final NativeNet net;

  NativeNetFace(NativePlugin<NetFunction> plugin) {
    this.net = new NativeNet(plugin);
  }

  public String name() {
    return net.name();
  }

  public int devices() {
    return net.devices().count();
  }

  public MemoryHandle regMr(Comm comm, Memory memory) {
    return net.registrations().register(net.own(comm), memory);
  }

  public void deregMr(Comm comm, MemoryHandle handle) {
    net.registrations().undo(net.own(comm), handle);
  }

  public boolean test(Request request, int @Nullable [] sizes) {
    return net.transfers().test(net.own(request), sizes);
  }

  public void closeSend(SendComm comm) {
    net.links().close(net.own(comm));
  }

  public void closeRecv(RecvComm comm) {
    net.links().close(net.own(comm));
  }

  public void closeListen(ListenComm listenComm) {
    net.listeners().close(net.own(listenComm));
  }
}
