// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A network of the newest version with one context, that of its {@code init}. If the plugin
 * supports irecvConsumed, it is called for each receive as soon as that is complete.
 */
final class NetInContext implements TestedNet {
  private static final long COMM_ID = 0x6b6974;

  private final Net net;
  private volatile @Nullable NetContext context;
  private volatile @Nullable ConsumedReceives used;

  NetInContext(Net net) {
    this.net = net;
  }

  /** With a context that is open. */
  NetInContext(Net net, NetContext context) {
    this.net = net;
    this.context = context;
    this.used = ConsumedReceives.of(net);
  }

  @Override
  public String name() {
    return net.name();
  }

  @Override
  public void init(DebugLogger logger) {
    context = net.init(COMM_ID, NetCommConfig.DEFAULT, logger, null);
    used = ConsumedReceives.of(net);
  }

  private NetContext context() {
    return Objects.requireNonNull(context, "init has not returned a context");
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
    return net.listen(context(), device, handle);
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    return net.connect(context(), device, handle, new DeviceHandle[1]);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    return net.accept(listenComm, new DeviceHandle[1]);
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
    return net.isend(comm, mr, offset, length, tag, 0);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    Request request = net.irecv(comm, n, mrs, offsets, lengths, tags, null, 0);
    ConsumedReceives receives = used;
    if (request != null && receives != null) {
      receives.begun(comm, n, request);
    }
    return request;
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return net.iflush(comm, n, mrs, offsets, lengths);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    boolean done = net.test(request, sizes);
    ConsumedReceives receives = used;
    if (done && receives != null) {
      receives.complete(request);
    }
    return done;
  }

  @Override
  public void closeSend(SendComm comm) {
    net.closeSend(comm);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    ConsumedReceives receives = used;
    if (receives != null) {
      receives.forget(comm);
    }
    net.closeRecv(comm);
  }

  @Override
  public void closeListen(ListenComm comm) {
    net.closeListen(comm);
  }

  @Override
  public void finish() {
    NetContext own = context;
    if (own != null) {
      context = null;
      net.finalizeContext(own);
    }
  }

  @Override
  public Newest newest() {
    return new Newest(net, context());
  }
}
