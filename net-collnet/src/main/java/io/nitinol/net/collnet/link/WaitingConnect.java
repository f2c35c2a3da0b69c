// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Connects a pair over a plugin whose calls may wait for the peer, on a thread of its own: that of
 * the pair serves others too. First connect, which needs no accept of the other side (NET-V4-03).
 * The thread cannot be stopped, so a caller that gives up leaves it the listener and what it may
 * still make.
 */
final class WaitingConnect {
  private static final long AGAIN_NANOS = 100_000;

  private final Carrier carrier;
  private final int device;
  private final ListenComm listener;
  private final Arena arena;
  private final MemorySegment handle;

  // Guarded by this.
  private @Nullable SendComm send;
  private @Nullable RecvComm recv;
  private @Nullable Throwable failure;
  private boolean over;
  private boolean abandoned;

  /**
   * Takes over the listener and the handle; {@link #start} is next.
   *
   * @param handle where the other side listens, in {@code arena}
   */
  WaitingConnect(
      Carrier carrier, int device, ListenComm listener, Arena arena, MemorySegment handle) {
    this.carrier = carrier;
    this.device = device;
    this.listener = listener;
    this.arena = arena;
    this.handle = handle;
  }

  void start() {
    carrier.enter();
    boolean started = false;
    try {
      Thread.ofPlatform().daemon().name("Switch-connect").start(this::run);
      started = true;
    } finally {
      if (!started) { // there is no thread left to make
        carrier.leave();
      }
    }
  }

  private void run() {
    try {
      connect();
    } finally {
      leave();
    }
  }

  private void leave() {
    try {
      carrier.leave();
    } catch (RuntimeException | Error e) { // nobody else is there to hear of it
      carrier.logger().warn("WaitingConnect", carrier + ": " + e);
    }
  }

  private void connect() {
    Net net = carrier.net();
    try {
      SendComm out = null;
      while (out == null && !isAbandoned()) {
        out = net.connect(carrier.context(), device, handle, new DeviceHandle[1]);
        pauseUnless(out != null);
      }
      synchronized (this) {
        send = out;
      }
      RecvComm in = null;
      while (in == null && !isAbandoned()) {
        in = net.accept(listener, new DeviceHandle[1]);
        pauseUnless(in != null);
      }
      synchronized (this) {
        recv = in;
      }
    } catch (Throwable e) { // whatever it is, it is told by poll
      synchronized (this) {
        failure = e;
      }
    }
    tidy(() -> net.closeListen(listener));
    arena.close();
    boolean unwanted;
    synchronized (this) {
      over = true;
      unwanted = abandoned;
    }
    if (unwanted) {
      closeComms();
    }
  }

  private void pauseUnless(boolean done) {
    if (!done) {
      LockSupport.parkNanos(this, AGAIN_NANOS);
    }
  }

  private synchronized boolean isAbandoned() {
    return abandoned;
  }

  private void tidy(Runnable close) {
    try {
      close.run();
    } catch (RuntimeException | Error e) {
      if (isAbandoned()) { // nobody asks any more
        carrier.logger().warn("WaitingConnect", carrier + ": " + e);
      }
      synchronized (this) {
        failure = failure == null ? e : failure;
      }
    }
  }

  private void closeComms() {
    SendComm out;
    RecvComm in;
    synchronized (this) {
      out = send;
      in = recv;
      send = null;
      recv = null;
    }
    if (out != null) {
      tidy(() -> carrier.net().closeSend(out));
    }
    if (in != null) {
      tidy(() -> carrier.net().closeRecv(in));
    }
  }

  /**
   * Returns whether both connections are there; never waits.
   *
   * @throws NetException why they cannot come about
   */
  synchronized boolean poll() {
    if (!over) {
      return false;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    return true;
  }

  synchronized @Nullable SendComm send() {
    return send;
  }

  synchronized @Nullable RecvComm recv() {
    return recv;
  }

  /** Gives up: the comms that there are, or will be, are closed. */
  void abandon() {
    synchronized (this) {
      abandoned = true;
      if (!over) {
        return; // the thread sees to it
      }
    }
    closeComms();
  }
}
