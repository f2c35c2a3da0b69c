// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v4.Net;
import io.nitinol.spi.net.v4.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A version 4 network over a {@link MemoryNet}: accept waits until somebody connects, and longer
 * while a test holds it.
 */
public final class WaitingNet implements Net {
  private final MemoryNet net;
  private final NetContext context;
  private boolean held;
  private int waiters;

  /** Passes calls to {@code net}. */
  public WaitingNet(MemoryNet net) {
    this.net = net;
    this.context = MemoryNet.context(net);
  }

  /** Lets no call of accept return from now on. */
  public synchronized void hold() {
    held = true;
  }

  /** Lets calls of accept return again. */
  public synchronized void release() {
    held = false;
    notifyAll();
  }

  /** Waits until so many calls of accept wait. */
  public synchronized void awaitWaiters(int count) throws InterruptedException {
    while (waiters != count) {
      wait();
    }
  }

  @Override
  public RecvComm accept(ListenComm listenComm) {
    enter();
    try {
      while (true) {
        awaitRelease();
        RecvComm comm = net.accept(listenComm, new DeviceHandle[1]);
        if (comm != null) {
          return comm;
        }
        Thread.onSpinWait();
      }
    } finally {
      leave();
    }
  }

  private synchronized void enter() {
    waiters++;
    notifyAll();
  }

  private synchronized void leave() {
    waiters--;
    notifyAll();
  }

  private synchronized void awaitRelease() {
    try {
      while (held) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new AssertionError("a thread inside a plugin was interrupted", e);
    }
  }

  @Override
  public String name() {
    return "Waiting";
  }

  @Override
  public void init(DebugLogger logger) {}

  @Override
  public int devices() {
    return 1;
  }

  @Override
  public NetProperties getProperties(int device) {
    return new NetProperties("wait" + device, null, device, PointerType.HOST.mask(), 1, 0, 9);
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return net.listen(context, device, handle);
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    return net.connect(context, device, handle, new DeviceHandle[1]);
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
    return net.isend(comm, mr, offset, length, 0, 0);
  }

  @Override
  public @Nullable Request irecv(RecvComm comm, MemoryHandle mr, long offset, long length) {
    return net.irecv(
        comm,
        1,
        new MemoryHandle[] {mr},
        new long[] {offset},
        new long[] {length},
        new int[1],
        null,
        0);
  }

  @Override
  public @Nullable Request iflush(RecvComm comm, MemoryHandle mr, long offset, long length) {
    return null;
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
