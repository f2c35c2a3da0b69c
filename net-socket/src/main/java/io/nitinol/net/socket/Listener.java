// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket and what has reached it. What connects has to prove that it was given the
 * handle, and the listener proves to it that it wrote the handle; {@link Arrivals} has the rules.
 * Driven by one thread at a time.
 *
 * <p>A listener that its owner forgot to close is closed when it has become garbage.
 */
final class Listener implements ListenComm {
  private static final Cleaner CLEANER =
      Cleaner.create(Thread.ofPlatform().daemon().name("Socket listener cleaner").factory());

  /** The backlog NCCL asks for; the kernel cuts it to its own limit. */
  private static final int BACKLOG = 16_384;

  /**
   * How many connections one call takes from the kernel, so that a flood cannot hold the caller.
   */
  private static final int TAKEN_PER_CALL = 64;

  /** What has to be closed; apart from the listener, so that the listener can become garbage. */
  private record Held(ServerSocketChannel server, Arrivals arrivals, TlsArrivals encrypting)
      implements Runnable {
    @Override
    public void run() {
      arrivals.close(server);
      arrivals.closeAll();
      encrypting.closeAll();
    }
  }

  private final SocketDevice device;
  private final SocketOptions options;
  private final ListenHandle handle;
  private final Held held;
  private final Cleaner.Cleanable cleanable;
  private final AcceptFailures failures;
  private boolean closed;

  private Listener(
      SocketDevice device,
      SocketOptions options,
      DebugLogger logger,
      ServerSocketChannel server,
      ListenHandle handle) {
    this.device = device;
    this.options = options;
    this.handle = handle;
    Arrivals arrivals =
        new Arrivals(handle.key(), handle.streams(), options, logger, label(device, handle));
    this.held =
        new Held(server, arrivals, new TlsArrivals(device, options, handle.key(), arrivals));
    this.failures = new AcceptFailures(device, arrivals, label(device, handle));
    this.cleanable = CLEANER.register(this, held);
  }

  /** Opens a listener on a port that the kernel chooses. */
  static Listener open(SocketDevice device, SocketOptions options, DebugLogger logger) {
    try {
      ServerSocketChannel server =
          ServerSocketChannel.open(
              device.address() instanceof Inet4Address
                  ? StandardProtocolFamily.INET
                  : StandardProtocolFamily.INET6);
      try {
        server.configureBlocking(false);
        if (options.receiveBuffer() > 0) {
          // Accepted sockets inherit it; later would be too late for the window's scale.
          server.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBuffer());
        }
        server.bind(new InetSocketAddress(device.address(), 0), BACKLOG);
        int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
        rehearse();
        ListenHandle handle =
            new ListenHandle(device.address(), port, Secrets.random(16), device.streams());
        return new Listener(device, options, logger, server, handle);
      } catch (IOException | RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          "cannot listen on "
              + device.label()
              + " at "
              + device.address().getHostAddress()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Goes through what a greeting needs: the JDK opens files when it first computes a code, and
   * cannot ever after a first time at which strangers had used up all descriptors.
   */
  private static void rehearse() {
    byte[] key = Secrets.random(16);
    Hello hello = Hello.of(key, CommId.random(), 0, StreamCount.ONE, 0);
    byte[] answer = Answer.to(hello, key, 0).bytes();
    String objection = Answer.objection(ByteBuffer.wrap(answer).position(Answer.SIZE), hello, key);
    if (objection != null) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR, "the plugin refuses its own answer: " + objection);
    }
  }

  /** Returns the device that the listener is on. */
  SocketDevice device() {
    return device;
  }

  ListenHandle handle() {
    return handle;
  }

  /**
   * Takes what has connected and returns the first comm whose streams have all proven to be of a
   * peer, or null.
   *
   * @throws NetException INVALID_USAGE where a peer wants other features than this side
   */
  @Nullable RecvEnd accept() {
    checkOpen();
    long now = System.nanoTime();
    Encrypting encrypted = held.encrypting.look(now);
    if (encrypted != null) {
      return end(encrypted.wires());
    }
    if (!held.encrypting.hasRoom()) {
      return null;
    }
    // Those known longest first: a flood of newcomers must not push a peer out before it is read.
    Gathering comm = held.arrivals.look(now);
    if (comm == null && takeNew(now)) {
      comm = held.arrivals.look(now);
    }
    if (comm == null) {
      held.arrivals.giveUpIncomplete(now);
      return null;
    }
    return admit(comm);
  }

  private boolean takeNew(long now) {
    int most = Math.min(TAKEN_PER_CALL, options.halfOpen());
    int taken = 0;
    try {
      for (; taken < most; taken++) {
        SocketChannel channel = held.server.accept();
        if (channel == null) {
          break;
        }
        held.arrivals.add(channel, now);
      }
      failures.over();
    } catch (IOException e) {
      failures.bear(e, now);
    }
    return taken > 0;
  }

  private @Nullable RecvEnd admit(Gathering comm) {
    if (comm.flags() != options.flags()) {
      comm.close(held.arrivals);
      throw Features.differ("peer " + comm.from(), comm.flags(), options.flags());
    }
    try {
      Encryption encryption = options.encryption();
      if (encryption != null) {
        held.encrypting.add(comm.channels(), comm.transcripts(), encryption, System.nanoTime());
        return null;
      }
      List<Wire> wires = new ArrayList<>();
      for (SocketChannel channel : comm.channels()) {
        wires.add(Wire.of(channel, device, options));
      }
      return end(wires.toArray(Wire[]::new));
    } catch (RuntimeException | Error e) {
      comm.close(held.arrivals);
      throw e;
    } catch (IOException e) {
      held.arrivals.failed(comm, e);
      return null;
    }
  }

  private RecvEnd end(Wire[] wires) {
    try {
      return new RecvEnd(
          wires[0], Arrays.copyOfRange(wires, 1, wires.length), handle.streams().threads());
    } catch (RuntimeException | Error e) {
      for (Wire wire : wires) {
        held.arrivals.close(wire);
      }
      throw e;
    }
  }

  /** Closes the listener and all that has not been returned by {@link #accept}. */
  void close() {
    checkOpen();
    closed = true;
    cleanable.clean();
  }

  private void checkOpen() {
    if (closed) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, label(device, handle) + " has been closed");
    }
  }

  private static String label(SocketDevice device, ListenHandle handle) {
    return "listener " + Addresses.text(handle.address(), handle.port()) + " on " + device.label();
  }
}
