// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.proof.Handshake;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A listening socket and what has reached it; what {@code listen}, {@code accept} and {@code
 * closeListen} of a network plugin need. What connects has to prove that it was given the handle,
 * and the listener proves to it that it wrote the handle; a stranger is dropped with a line in the
 * log, without an answer, and keeps no peer out however many of them there are. No call waits.
 * Driven by one thread at a time.
 *
 * <p>A listener that its owner forgot to close is closed when it has become garbage.
 *
 * @param <C> the comm that the plugin makes of a peer's connections
 */
public final class Listener<C> {
  /** The size of a handle in bytes: HANDLE_MAXSIZE from version 5 of the network interface on. */
  public static final int HANDLE_BYTES = 128;

  /** The size of a handle in bytes in version 4 of the network interface. */
  public static final int V4_HANDLE_BYTES = ListenHandle.SIZE;

  /** One for each plugin, whose name its thread has. */
  private static final ConcurrentHashMap<String, Cleaner> CLEANERS = new ConcurrentHashMap<>();

  /** The backlog NCCL asks for; the kernel cuts it to its own limit. */
  private static final int BACKLOG = 16_384;

  /**
   * How many connections one call takes from the kernel, so that a flood cannot hold the caller.
   */
  private static final int TAKEN_PER_CALL = 64;

  /** What has to be closed; apart from the listener, so that the listener can become garbage. */
  private record Held<C>(ServerSocketChannel server, Arrivals arrivals, Completions<C> completions)
      implements Runnable {
    @Override
    public void run() {
      arrivals.close(server);
      arrivals.closeAll();
      completions.closeAll();
    }
  }

  private final ConnectOptions options;
  private final ListenHandle handle;
  private final String label;
  private final Held<C> held;
  private final Cleaner.Cleanable cleanable;
  private final AcceptFailures failures;
  private boolean closed;

  private Listener(
      LocalEnd here,
      ConnectOptions options,
      DebugLogger logger,
      ServerSocketChannel server,
      ListenHandle handle,
      Completion.Beginning<C> beginning) {
    this.options = options;
    this.handle = handle;
    this.label =
        "listener " + Addresses.text(handle.address(), handle.port()) + " on " + here.label();
    Arrivals arrivals = new Arrivals(handle.key(), handle.agreement(), options, logger, label);
    this.held = new Held<>(server, arrivals, new Completions<>(beginning, options, arrivals));
    this.failures = new AcceptFailures(here.address(), arrivals::dropOldest);
    this.cleanable = cleaner(options.threads()).register(this, held);
  }

  private static Cleaner cleaner(String threads) {
    return CLEANERS.computeIfAbsent(
        threads,
        name ->
            Cleaner.create(
                Thread.ofPlatform().daemon().name(name + " listener cleaner").factory()));
  }

  /**
   * Opens a listener on a port that the kernel chooses, and writes its handle, which is to reach
   * peers by a way that strangers cannot read.
   *
   * @param here where it listens
   * @param agreement what it decides for both sides
   * @param handle filled: {@link ConnectOptions#handleBytes} bytes, of which the first 64 say all;
   *     the rest is zeroes. Not kept
   * @param options the plugin's settings
   * @param logger told which connection was dropped and why
   * @param beginning what is done with connections that are proven; must not refer to the listener
   * @param <C> the comm that comes of it
   * @return the listener, to be closed by the caller
   * @throws NetException INVALID_ARGUMENT when the buffer is too small or read-only; SYSTEM_ERROR
   *     when this machine cannot listen there
   * @throws IllegalArgumentException when {@code agreement} is out of its bounds
   */
  public static <C> Listener<C> open(
      LocalEnd here,
      Agreement agreement,
      MemorySegment handle,
      ConnectOptions options,
      DebugLogger logger,
      Completion.Beginning<C> beginning) {
    ListenHandle.checkBuffer(handle, options.handleBytes());
    if (!agreement.isPossible()) {
      throw new IllegalArgumentException("no comm consists of " + agreement.label());
    }
    try {
      ServerSocketChannel server =
          ServerSocketChannel.open(
              here.address() instanceof Inet4Address
                  ? StandardProtocolFamily.INET
                  : StandardProtocolFamily.INET6);
      try {
        server.configureBlocking(false);
        if (options.receiveBuffer() > 0) {
          // Accepted sockets inherit it; later would be too late for the window's scale.
          server.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBuffer());
        }
        server.bind(new InetSocketAddress(here.address(), 0), BACKLOG);
        int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
        Handshake.rehearse();
        StreamGreeting.rehearse(options.plugin());
        ListenHandle made =
            new ListenHandle(here.address(), port, Secrets.random(16), agreement, options.plugin());
        made.write(handle, options.handleBytes());
        return new Listener<>(here, options, logger, server, made, beginning);
      } catch (IOException | RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          ErrorText.of(
              "cannot listen on %s at %s: %s",
              here.label(), here.address().getHostAddress(), e.getMessage()),
          e);
    }
  }

  /**
   * Takes what has connected, goes on with all that are on their way, and returns the first comm
   * that is complete.
   *
   * @return the comm, the caller's from here on; null: none yet, call again
   * @throws NetException INVALID_USAGE where a peer wants other features than this side;
   *     SYSTEM_ERROR when the kernel gives no connection any more; INVALID_ARGUMENT after {@link
   *     #close}; and what the plugin's {@link Completion} throws. But for the second and third it
   *     is about one peer, and the listener goes on
   */
  public @Nullable C poll() {
    checkOpen();
    long now = System.nanoTime();
    C complete = held.completions.look(now);
    if (complete != null || !held.completions.hasRoom()) {
      return complete;
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
    admit(comm, now);
    return held.completions.look(now);
  }

  private boolean takeNew(long now) {
    int most = Math.min(TAKEN_PER_CALL, options.halfOpen().value());
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
      if (taken > 0) {
        failures.over();
        return true; // they are looked at before one of them makes room for another
      }
      SocketChannel waiting = failures.bear(held.server, e, now);
      if (waiting != null) {
        held.arrivals.add(waiting, now);
        taken++;
      } else if (failures.isLasting(now)) {
        throw new NetException(
            ResultCode.SYSTEM_ERROR,
            ErrorText.of(
                "%s cannot accept a connection: %s (is the limit of open files reached?)",
                label, e.getMessage()),
            e);
      }
    }
    return taken > 0;
  }

  private void admit(Gathering comm, long now) {
    try {
      if (comm.flags() != options.features().flags()) {
        throw options.features().differ("peer " + comm.from(), comm.flags());
      }
      Proven proven =
          new Proven(
              comm.from(),
              "peer " + comm.from() + " of " + label,
              comm.channels(),
              comm.transcripts(),
              handle.agreement(),
              handle.key());
      held.completions.add(proven, now);
    } catch (RuntimeException | Error e) {
      comm.close(held.arrivals);
      throw e;
    } catch (IOException e) {
      held.arrivals.dropped(
          comm.from(), "its connection failed right after its proof: " + e.getMessage());
      comm.close(held.arrivals);
    }
  }

  /**
   * Closes the listener and all that has not been returned by {@link #poll}.
   *
   * @throws NetException INVALID_ARGUMENT when it has been closed before
   */
  public void close() {
    checkOpen();
    closed = true;
    cleanable.clean();
  }

  private void checkOpen() {
    if (closed) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, label + " has been closed");
    }
  }
}
