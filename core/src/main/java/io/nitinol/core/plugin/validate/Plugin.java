// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.validate;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.collnet.v6.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.v6.Net;
import io.nitinol.spi.net.v6.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The operations that Net and CollNet have in common, which are checked by the same rules. */
interface Plugin {
  String name();

  void init(DebugLogger logger);

  int devices();

  NetProperties getProperties(int device);

  ListenComm listen(int device, MemorySegment handle);

  MemoryHandle regMr(Comm comm, Memory memory);

  MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd);

  void deregMr(Comm comm, MemoryHandle handle);

  boolean test(Request request, int @Nullable [] sizes);

  void closeListen(ListenComm listenComm);

  /** A Net. */
  record OfNet(Net net) implements Plugin {
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
    public boolean test(Request request, int @Nullable [] sizes) {
      return net.test(request, sizes);
    }

    @Override
    public void closeListen(ListenComm listenComm) {
      net.closeListen(listenComm);
    }
  }

  /** A CollNet; its comms are all of one kind. */
  record OfCollNet(CollNet net) implements Plugin {
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
    public MemoryHandle regMr(Comm comm, Memory memory) {
      return net.regMr((CollComm) comm, memory);
    }

    @Override
    public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
      return net.regMrDmaBuf((CollComm) comm, memory, offset, fd);
    }

    @Override
    public void deregMr(Comm comm, MemoryHandle handle) {
      net.deregMr((CollComm) comm, handle);
    }

    @Override
    public boolean test(Request request, int @Nullable [] sizes) {
      return net.test(request, sizes);
    }

    @Override
    public void closeListen(ListenComm listenComm) {
      net.closeListen(listenComm);
    }
  }
}
