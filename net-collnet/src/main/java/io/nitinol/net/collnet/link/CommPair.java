// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.net.collnet.wire.NetHandle;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.WaitingCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The data connections of one child and its switch: a comm to send on and one to receive from, the
 * same on both sides. Each side listens for the comm it receives from and connects the one it sends
 * on. Not safe for several threads at once.
 */
public final class CommPair implements AutoCloseable {
  private final Carrier carrier;
  private final int device;
  private final NetHandle handle;
  private @Nullable ListenComm listener;
  private @Nullable SendComm send;
  private @Nullable RecvComm recv;
  private @Nullable Arena arena;
  private @Nullable MemorySegment theirs;

  // Of a plugin whose calls may wait, each on a thread: connect may return null until the other
  // side accepts, and accept may wait for its connect.
  private @Nullable WaitingCall<SendComm> connecting;
  private @Nullable WaitingCall<RecvComm> accepting;

  /**
   * Listens for what this side receives.
   *
   * @param carrier the network plugin
   * @param device the device in it
   * @throws NetException when the device cannot be listened on
   */
  public CommPair(Carrier carrier, int device) {
    this.carrier = carrier;
    this.device = device;
    try (Arena temporary = Arena.ofConfined()) {
      MemorySegment buffer = temporary.allocate(NetHandle.BYTES, 8);
      listener = carrier.net().listen(carrier.context(), device, buffer);
      handle = NetHandle.of(buffer);
    }
  }

  /**
   * Returns where this side listens.
   *
   * @return what the other side gets
   */
  public NetHandle handle() {
    return handle;
  }

  /**
   * Says where the other side listens; once.
   *
   * @param handle what it sent
   */
  public void connectTo(NetHandle handle) {
    Arena own = Arena.ofShared(); // closed by whichever thread closes the pair
    arena = own;
    MemorySegment buffer = own.allocate(NetHandle.BYTES, 8);
    handle.writeTo(buffer);
    theirs = buffer;
  }

  /**
   * Moves both connections on; never waits.
   *
   * @return true once both are there
   * @throws NetException when one of them cannot come about; what is left is to {@link #close}
   */
  public boolean poll() {
    if (carrier.mayWait()) {
      return pollWaiting();
    }
    Net net = carrier.net();
    if (send == null && theirs != null) {
      send = net.connect(carrier.context(), device, theirs, new DeviceHandle[1]);
      if (send != null) {
        freeHandle();
      }
    }
    if (recv == null && listener != null) {
      recv = net.accept(listener, new DeviceHandle[1]);
      if (recv != null) {
        closeListener();
      }
    }
    return send != null && recv != null;
  }

  private boolean pollWaiting() {
    if (connecting == null && send == null && theirs != null) {
      connecting = startConnecting(theirs);
    }
    if (accepting == null && recv == null && listener != null && theirs != null) {
      accepting = startAccepting(listener);
    }
    if (connecting != null) {
      send = connecting.poll();
      if (send != null) {
        connecting = null;
        carrier.leave();
        freeHandle();
      }
    }
    if (accepting != null) {
      recv = accepting.poll();
      if (recv != null) {
        accepting = null;
        carrier.leave();
        closeListener();
      }
    }
    return send != null && recv != null;
  }

  private WaitingCall<SendComm> startConnecting(MemorySegment to) {
    Net net = carrier.net();
    Arena own = Objects.requireNonNull(arena, "memory of the handle");
    return started(
        "Switch-connect",
        () -> net.connect(carrier.context(), device, to, new DeviceHandle[1]),
        made -> {
          try {
            if (made != null) {
              net.closeSend(made);
            }
          } finally {
            own.close();
          }
        });
  }

  private WaitingCall<RecvComm> startAccepting(ListenComm at) {
    Net net = carrier.net();
    return started(
        "Switch-accept",
        () -> net.accept(at, new DeviceHandle[1]),
        made -> {
          try {
            net.closeListen(at);
          } finally {
            if (made != null) {
              net.closeRecv(made);
            }
          }
        });
  }

  /** Starts a call inside the plugin; {@code disposal} is for a pair that is closed meanwhile. */
  private <T> WaitingCall<T> started(
      String name, Supplier<@Nullable T> call, Consumer<@Nullable T> disposal) {
    WaitingCall<T> made =
        new WaitingCall<>(
            name,
            call,
            result -> {
              disposed("what an abandoned call made does not close", () -> disposal.accept(result));
              disposed("its context does not end", carrier::leave);
            });
    carrier.enter();
    boolean started = false;
    try {
      made.start();
      started = true;
    } finally {
      if (!started) { // there is no thread left to make
        carrier.leave();
      }
    }
    return made;
  }

  private void disposed(String problem, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) { // nobody else is there to hear of it
      carrier.logger().warn("CommPair", ErrorText.of("%s: %s: %s", carrier, problem, e));
    }
  }

  /**
   * Returns the comm to send on.
   *
   * @return the comm, once {@link #poll} was true
   */
  public SendComm send() {
    return Objects.requireNonNull(send, "comm of a pair that is not connected");
  }

  /**
   * Returns the comm to receive from.
   *
   * @return the comm, once {@link #poll} was true
   */
  public RecvComm recv() {
    return Objects.requireNonNull(recv, "comm of a pair that is not connected");
  }

  /**
   * Returns the plugin that the comms belong to.
   *
   * @return the plugin
   */
  public Net net() {
    return carrier.net();
  }

  private void freeHandle() {
    Arena own = arena;
    arena = null;
    theirs = null;
    if (own != null) {
      own.close();
    }
  }

  private void closeListener() {
    ListenComm open = listener;
    listener = null;
    if (open != null) {
      carrier.net().closeListen(open);
    }
  }

  /**
   * Closes both comms, operations in flight included: nothing touches their memory afterwards.
   *
   * @throws NetException when the plugin could not close one of them; the other is closed all the
   *     same
   */
  @Override
  public void close() {
    NetException failure = null;
    failure = attempt(failure, this::giveUpConnecting);
    failure = attempt(failure, this::giveUpAccepting);
    failure = attempt(failure, this::closeListener);
    failure = attempt(failure, this::closeSend);
    failure = attempt(failure, this::closeRecv);
    freeHandle(); // an attempt to connect that nobody asks about any more ends by itself
    if (failure != null) {
      throw failure;
    }
  }

  private void giveUpConnecting() {
    WaitingCall<SendComm> call = connecting;
    connecting = null;
    if (call != null && call.abandon()) {
      arena = null; // its thread closes it
      theirs = null;
    } else if (call != null) {
      send = call.result();
      carrier.leave();
    }
  }

  private void giveUpAccepting() {
    WaitingCall<RecvComm> call = accepting;
    accepting = null;
    if (call != null && call.abandon()) {
      listener = null; // its thread closes it
    } else if (call != null) {
      recv = call.result();
      carrier.leave();
    }
  }

  private void closeSend() {
    SendComm open = send;
    send = null;
    if (open != null) {
      carrier.net().closeSend(open);
    }
  }

  private void closeRecv() {
    RecvComm open = recv;
    recv = null;
    if (open != null) {
      carrier.net().closeRecv(open);
    }
  }

  private static @Nullable NetException attempt(@Nullable NetException before, Runnable action) {
    try {
      action.run();
      return before;
    } catch (RuntimeException | Error e) { // whatever it is, the others are closed
      NetException failure =
          e instanceof NetException known
              ? known
              : new NetException(ResultCode.INTERNAL_ERROR, "a comm does not close: " + e, e);
      if (before == null) {
        return failure;
      }
      before.addSuppressed(failure);
      return before;
    }
  }
}
