// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.net.collnet.wire.BadFrameException;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.support.Addresses;
import io.nitinol.spi.support.PeerProof.Role;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The thread that all control connections of a switch, or of a process's members, run on: it makes
 * and accepts connections, lets both sides prove themselves, carries frames, says every 2 s that
 * this side is alive and gives up on another side that was silent for 8 s.
 */
public final class ControlLoop implements AutoCloseable {
  private static final String HERE = "ControlLoop";
  private static final long MILLI = 1_000_000L;
  private static final long SILENCE_NANOS = 8_000 * MILLI;
  private static final long HANDSHAKE_NANOS = 10_000 * MILLI;
  private static final long GOODBYE_NANOS = 1_000 * MILLI;
  private static final long TICK_MILLIS = 100;

  /** A switch that is started together with its members may come up a little later. */
  private static final long PATIENCE_NANOS = 3_000 * MILLI;

  private final DebugLogger logger;
  private final long silenceNanos;
  private final long pingNanos;
  private final Selector selector;
  private final Thread thread;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Queue<ControlLink> attention = new ConcurrentLinkedQueue<>();
  private final Set<ControlLink> links = new LinkedHashSet<>(); // of the loop's thread
  private final Set<ControlListener> listeners = new LinkedHashSet<>(); // of the loop's thread
  private volatile boolean stopping;

  private ControlLoop(String name, DebugLogger logger, long silenceNanos) throws IOException {
    this.logger = logger;
    this.silenceNanos = silenceNanos;
    pingNanos = silenceNanos / 4;
    selector = Selector.open();
    thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  /**
   * Starts a loop.
   *
   * @param name the name of its thread
   * @param logger where it tells of strangers that it turned away
   * @return the loop, until {@link #close}
   * @throws NetException with SYSTEM_ERROR when the system has no more descriptors
   */
  public static ControlLoop open(String name, DebugLogger logger) {
    return open(name, logger, SILENCE_NANOS);
  }

  /** As the other one, with another time after which a silent side is given up. */
  static ControlLoop open(String name, DebugLogger logger, long silenceNanos) {
    try {
      ControlLoop loop = new ControlLoop(name, logger, silenceNanos);
      loop.thread.start();
      return loop;
    } catch (IOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR, "no thread for control connections: " + e.getMessage(), e);
    }
  }

  /**
   * Listens for connections.
   *
   * @param address where; port 0 takes any free one
   * @param key what whoever connects must know
   * @param accepted is handed each connection once it is proven, on the loop's thread; sets the
   *     link's events before it returns
   * @return the listener, until it is closed
   * @throws NetException with SYSTEM_ERROR when the address cannot be listened on
   */
  public ControlListener listen(
      InetSocketAddress address, SwitchKey key, Consumer<ControlLink> accepted) {
    return listen(address, key, accepted, channel -> channel::accept);
  }

  /** As the other one, with something between a listener and its channel. */
  ControlListener listen(
      InetSocketAddress address,
      SwitchKey key,
      Consumer<ControlLink> accepted,
      Function<ServerSocketChannel, ControlListener.Source> source) {
    ServerSocketChannel channel = null;
    try {
      channel = ServerSocketChannel.open();
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(address, ControlListener.BACKLOG);
      channel.configureBlocking(false);
      ControlListener listener =
          new ControlListener(this, channel, source.apply(channel), key, accepted, logger);
      ServerSocketChannel bound = channel;
      later(() -> {
        bound.register(selector, SelectionKey.OP_ACCEPT, listener);
        listeners.add(listener);
      });
      return listener;
    } catch (IOException e) {
      closeQuietly(channel);
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          "cannot listen on " + Addresses.text(address) + ": " + e.getMessage(),
          e);
    }
  }

  /**
   * Connects to a switch. A refused connection is tried again for 3 s.
   *
   * @param address the switch's
   * @param key what both sides know
   * @param events who is told what comes of it; a connection that cannot be made is one that is
   *     closed
   * @param limit how long it may take until the other side has proven itself
   * @return the link, to send on at once
   */
  public ControlLink connect(
      InetSocketAddress address, SwitchKey key, ControlLink.Events events, Duration limit) {
    ControlLink link = new ControlLink(this, Role.CONNECTOR, key, address, events);
    long now = System.nanoTime();
    link.deadlineNanos = now + limit.toNanos();
    link.patienceNanos = now + Math.min(limit.toNanos(), PATIENCE_NANOS);
    link.retryNanos = now;
    later(() -> {
      links.add(link);
      begin(link);
    });
    return link;
  }

  /**
   * Closes all listeners and links, after what was sent on them is out, and lets the thread end
   * then. Does not wait for that.
   */
  public void end() {
    later(() -> {
      for (ControlListener each : List.copyOf(listeners)) {
        remove(each);
      }
      for (ControlLink each : links) {
        each.close();
      }
      stopping = true;
    });
  }

  /** As {@link #end}, and waits for the thread, a second or two at the most. */
  @Override
  public void close() {
    end();
    if (Thread.currentThread().equals(thread)) {
      return;
    }
    boolean interrupted = false;
    long end = System.nanoTime() + 3 * GOODBYE_NANOS;
    while (thread.isAlive() && System.nanoTime() < end) {
      try {
        thread.join(TICK_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** What the loop's thread does for another one. */
  private interface Task {
    void run() throws IOException;
  }

  private void later(Task task) {
    tasks.add(() -> {
      try {
        task.run();
      } catch (IOException e) {
        logger.warn(HERE, "control connections: " + e.getMessage());
      }
    });
    selector.wakeup();
  }

  /** Looks after a link that has something to send, or is to be closed. */
  void attend(ControlLink link) {
    attention.add(link);
    if (!Thread.currentThread().equals(thread)) {
      selector.wakeup();
    }
  }

  /** Stops listening; connections that were accepted go on. */
  void forget(ControlListener listener) {
    later(() -> remove(listener));
  }

  private void remove(ControlListener listener) {
    listeners.remove(listener);
    closeQuietly(listener.channel());
  }

  /** Takes in an accepted connection, which has some seconds to prove itself. */
  void accept(ControlLink link, SocketChannel channel) throws IOException {
    link.take(channel, channel.register(selector, SelectionKey.OP_READ, link));
    link.deadlineNanos = System.nanoTime() + HANDSHAKE_NANOS;
    link.connected();
    links.add(link);
  }

  /** Drops a connection that has not proven itself. */
  void drop(ControlLink link) {
    links.remove(link);
    link.end("dropped");
    closeQuietly(link.channel);
  }

  private void run() {
    try {
      while (!stopping || !links.isEmpty()) {
        step();
      }
    } catch (IOException | RuntimeException | Error e) {
      logger.warn(HERE, "the thread of control connections ended: " + e);
      for (ControlLink each : List.copyOf(links)) {
        each.end(each.peer() + ": " + e);
        closeQuietly(each.channel);
      }
      if (e instanceof Error error) {
        throw error;
      }
    } finally {
      for (ControlListener each : listeners) {
        closeQuietly(each.channel());
      }
      closeQuietly(selector);
    }
  }

  private void step() throws IOException {
    if (links.isEmpty() && listeners.isEmpty()) {
      selector.select(1_000);
    } else {
      selector.select(TICK_MILLIS);
    }
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    long now = System.nanoTime();
    for (SelectionKey each : selector.selectedKeys()) {
      if (!each.isValid()) {
        continue;
      }
      if (each.attachment() instanceof ControlListener listener) {
        listener.accept(each);
      } else if (each.attachment() instanceof ControlLink link) {
        ready(link, each, now);
      }
    }
    selector.selectedKeys().clear();
    for (ControlLink link = attention.poll(); link != null; link = attention.poll()) {
      push(link, now);
    }
    look(now);
  }

  /** Begins to connect, or waits for the time to try again. */
  private void begin(ControlLink link) {
    SocketChannel channel = null;
    try {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      link.take(channel, channel.register(selector, SelectionKey.OP_CONNECT, link));
      if (channel.connect(link.address())) {
        connected(link, System.nanoTime());
      }
    } catch (IOException | RuntimeException e) { // such as an address that cannot be one
      closeQuietly(channel);
      refused(link, e);
    }
  }

  private void connected(ControlLink link, long now) throws IOException {
    link.connected();
    link.write(now);
  }

  private void refused(ControlLink link, Exception why) {
    if (isEarly(link)) {
      link.channel = null;
      link.retryNanos = System.nanoTime() + TICK_MILLIS * MILLI;
    } else {
      finish(link, "cannot connect to " + link.peer() + ": " + why.getMessage());
    }
  }

  private void ready(ControlLink link, SelectionKey key, long now) {
    try {
      if (key.isConnectable()) {
        boolean made;
        try {
          made = open(link).finishConnect();
        } catch (IOException e) {
          closeQuietly(link.channel);
          refused(link, e);
          return;
        }
        if (made) {
          connected(link, now);
        }
        return;
      }
      if (link.isClosing() && link.isProven()) {
        push(link, now);
        return;
      }
      if (key.isReadable() && link.read(now)) {
        proven(link);
        link.write(now);
        link.read(now); // the frames that came with the proof
      }
      link.write(now);
    } catch (IOException | HandshakeException | BadFrameException | RuntimeException e) {
      broken(link, e);
    }
  }

  private static SocketChannel open(ControlLink link) {
    SocketChannel channel = link.channel;
    if (channel == null) {
      throw new IllegalStateException("no channel");
    }
    return channel;
  }

  private void proven(ControlLink link) {
    for (ControlListener each : listeners) {
      each.proven(link);
    }
  }

  private void broken(ControlLink link, Exception e) {
    String what =
        switch (e) {
          case BadFrameException bad -> "it sent " + bad.getMessage();
          case RuntimeException defect -> defect.toString();
          default -> String.valueOf(e.getMessage());
        };
    if (link.isAccepted() && !link.isProven()) {
      for (ControlListener each : listeners) {
        each.dropped(link, what);
      }
    } else if (!link.isProven() && e instanceof IOException && isEarly(link)) {
      closeQuietly(link.channel); // dropped for want of room, as in a crowd of members
      refused(link, e);
      return;
    }
    finish(link, link.peer() + ": " + what);
  }

  private static boolean isEarly(ControlLink link) {
    return System.nanoTime() - link.patienceNanos < 0 && !link.isClosing();
  }

  /** Sends what a link has to send, and closes it when that is asked for. */
  private void push(ControlLink link, long now) {
    if (link.hasEnded()) {
      return;
    }
    try {
      if (link.isClosing() && link.deadlineNanos - now > GOODBYE_NANOS) {
        link.deadlineNanos = now + GOODBYE_NANOS;
      }
      if (link.channel == null || !link.channel.isConnected()) {
        if (link.isClosing()) {
          finish(link, "closed");
        }
        return;
      }
      boolean all = link.write(now);
      if (!link.isClosing()) {
        return;
      }
      if (!link.isProven()) {
        if (link.isEmpty() || link.isAccepted()) {
          finish(link, "closed");
        } // else what was sent still goes out once the other side has proven itself
      } else if (all) {
        link.shutdownOutput();
        if (link.drain()) {
          finish(link, "closed");
        }
      }
    } catch (IOException | RuntimeException e) {
      broken(link, e);
    }
  }

  /** Looks at the clocks of all listeners and links. */
  private void look(long now) {
    for (ControlListener each : listeners) {
      each.look(now);
    }
    List<ControlLink> due = null;
    for (ControlLink each : links) {
      if (isDue(each, now)) {
        due = due == null ? new ArrayList<>() : due;
        due.add(each);
      }
    }
    if (due == null) {
      return;
    }
    for (ControlLink each : due) {
      overdue(each, now);
    }
  }

  private boolean isDue(ControlLink link, long now) {
    if (link.channel == null) {
      return now - link.retryNanos >= 0 || link.isClosing();
    }
    if (link.isClosing() || !link.isProven()) {
      return now - link.deadlineNanos >= 0;
    }
    return now - link.saidNanos >= pingNanos || now - link.heardNanos >= silenceNanos;
  }

  private void overdue(ControlLink link, long now) {
    if (link.channel == null) {
      begin(link);
    } else if (link.isClosing()) {
      finish(link, "closed");
    } else if (!link.isProven()) {
      String what =
          link.channel.isConnected() ? "it did not prove itself in time" : "it does not answer";
      broken(link, new IOException(what));
    } else if (now - link.heardNanos >= silenceNanos) {
      broken(link, new IOException("it was silent for " + silenceNanos / MILLI + " ms"));
    } else {
      link.saidNanos = now; // even where it cannot be written now: one in a while
      link.send(new ControlFrame.Ping());
      push(link, now);
    }
  }

  private void finish(ControlLink link, String why) {
    links.remove(link);
    closeQuietly(link.channel);
    try {
      link.end(why);
    } catch (RuntimeException e) {
      logger.warn(HERE, "the end of a control connection (" + why + ") was not taken: " + e);
    }
  }

  private void closeQuietly(@Nullable AutoCloseable closeable) {
    if (closeable != null) {
      try {
        closeable.close();
      } catch (Exception e) {
        logger.info(LogSubsystem.NET, HERE, "closing a control connection failed: " + e);
      }
    }
  }
}
