// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The operations that Net and CollNet have in common, which are checked by the same rules. */
interface ValidatedPlugin {
  String name();

  int devices();

  NetProperties getProperties(int device);

  ListenComm listen(NetContext context, int device, MemorySegment handle);

  MemoryHandle regMr(Comm comm, Memory memory);

  MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd);

  void deregMr(Comm comm, MemoryHandle handle);

  boolean test(Request request, int @Nullable [] sizes);

  void closeListen(ListenComm listenComm);

  int makeVDevice(VirtualDevice devices);

  void finalizeContext(NetContext context);

  boolean supports(OptionalOperation operation);

  /** A Net. */
  record OfNet(Net net) implements ValidatedPlugin {
    @Override
    public String name() {
      return net.name();
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
    public ListenComm listen(NetContext context, int device, MemorySegment handle) {
      return net.listen(context, device, handle);
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

    @Override
    public int makeVDevice(VirtualDevice devices) {
      return net.makeVDevice(devices);
    }

    @Override
    public void finalizeContext(NetContext context) {
      net.finalizeContext(context);
    }

    @Override
    public boolean supports(OptionalOperation operation) {
      return net.supports(operation);
    }
  }

  /** A CollNet; its comms are all of one kind. */
  record OfCollNet(CollNet net) implements ValidatedPlugin {
    @Override
    public String name() {
      return net.name();
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
    public ListenComm listen(NetContext context, int device, MemorySegment handle) {
      return net.listen(context, device, handle);
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

    @Override
    public int makeVDevice(VirtualDevice devices) {
      return net.makeVDevice(devices);
    }

    @Override
    public void finalizeContext(NetContext context) {
      net.finalizeContext(context);
    }

    @Override
    public boolean supports(OptionalOperation operation) {
      return net.supports(operation);
    }
  }
}
