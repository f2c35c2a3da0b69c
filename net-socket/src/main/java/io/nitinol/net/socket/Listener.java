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
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket and the connections that wait on it. What connects has to prove by a {@link
 * Hello} that it was given the handle; until then it is a {@link Stranger}, of which there is a
 * bounded number: one more drops the oldest, so that silent connections keep nobody out. Driven by
 * one thread at a time.
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
  private static final class Held implements Runnable {
    final ServerSocketChannel server;
    final ArrayDeque<Stranger> strangers = new ArrayDeque<>();
    final DebugLogger logger;
    final String label;

    Held(ServerSocketChannel server, DebugLogger logger, String label) {
      this.server = server;
      this.logger = logger;
      this.label = label;
    }

    @Override
    public void run() {
      close(server);
      strangers.forEach(s -> close(s.channel()));
      strangers.clear();
    }

    void close(AutoCloseable channel) {
      try {
        channel.close();
      } catch (Exception e) {
        logger.warn("net-socket", "NET/Socket: closing a socket of " + label + ": " + e);
      }
    }
  }

  private final SocketDevice device;
  private final SocketOptions options;
  private final ListenHandle handle;
  private final byte[] key;
  private final Held held;
  private final Cleaner.Cleanable cleanable;
  private final StrangerLog log;
  // Grows with the accepted connections, of which a device has at most maxComms.
  private final Set<ByteBuffer> noncesSeen = new HashSet<>();
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
    this.key = handle.key();
    String label = label(device, handle);
    this.held = new Held(server, logger, label);
    this.log = new StrangerLog(logger, label);
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
        ListenHandle handle = new ListenHandle(device.address(), port, Secrets.random(16));
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

  /** Returns the device that the listener is on. */
  SocketDevice device() {
    return device;
  }

  ListenHandle handle() {
    return handle;
  }

  /** Takes what has connected and returns the first that has proven to be a peer, or null. */
  @Nullable RecvEnd accept() {
    checkOpen();
    long now = System.nanoTime();
    // Those known longest first: a flood of newcomers must not push a peer out before it is read.
    RecvEnd peer = look(now);
    if (peer != null) {
      return peer;
    }
    return takeNew(now) ? look(now) : null;
  }

  private boolean takeNew(long now) {
    boolean any = false;
    try {
      for (int i = 0; i < TAKEN_PER_CALL; i++) {
        SocketChannel channel = held.server.accept();
        if (channel == null) {
          break;
        }
        if (held.strangers.size() >= options.halfOpen()) {
          Stranger oldest = held.strangers.removeFirst();
          held.close(oldest.channel());
          log.dropped(
              oldest.from(),
              options.halfOpen()
                  + " connections had not proven to be peers and it was the oldest ("
                  + SocketVariables.HALF_OPEN
                  + ")");
        }
        any |= admitStranger(channel, now);
      }
    } catch (IOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          label(device, handle)
              + " cannot accept a connection: "
              + e.getMessage()
              + " (is the limit of open files reached?)",
          e);
    }
    return any;
  }

  private boolean admitStranger(SocketChannel channel, long now) {
    try {
      held.strangers.addLast(new Stranger(channel, now));
      return true;
    } catch (IOException e) {
      log.dropped("a peer that is already gone", String.valueOf(e.getMessage()));
      return false;
    }
  }

  private @Nullable RecvEnd look(long now) {
    for (Iterator<Stranger> i = held.strangers.iterator(); i.hasNext(); ) {
      Stranger stranger = i.next();
      switch (stranger.look(key, now, options.handshakeNanos())) {
        case WAIT -> {}
        case DROP -> {
          i.remove();
          drop(stranger, stranger.reason());
        }
        case PEER -> {
          i.remove();
          RecvEnd end = admit(stranger);
          if (end != null) {
            return end;
          }
        }
      }
    }
    return null;
  }

  private @Nullable RecvEnd admit(Stranger stranger) {
    if (!noncesSeen.add(stranger.nonce())) {
      drop(stranger, "its hello is a copy of one that was used before");
      return null;
    }
    try {
      return new RecvEnd(Wire.of(stranger.channel(), device, options));
    } catch (RuntimeException | Error e) {
      held.close(stranger.channel());
      throw e;
    } catch (IOException e) {
      drop(stranger, "its connection failed right after its hello: " + e.getMessage());
      return null;
    }
  }

  private void drop(Stranger stranger, String why) {
    held.close(stranger.channel());
    log.dropped(stranger.from(), why);
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
