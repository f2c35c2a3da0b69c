// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.PeerProof.Role;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The thread that all control connections of a switch, or of a process's members, run on: it makes
 * and accepts connections, lets both sides prove themselves, carries frames, says every 2 s that
 * this side is alive and gives up on another side that was silent for 8 s.
 */
public final class ControlLoop implements AutoCloseable {
  private static final String HERE = "ControlLoop";
  private static final long MILLI = 1_000_000L;
  private static final long SILENCE_NANOS = 8_000 * MILLI;
  private static final long TICK_MILLIS = 100;

  /** A switch that is started together with its members may come up a little later. */
  private static final long PATIENCE_NANOS = 3_000 * MILLI;

  private final DebugLogger logger;
  private final Selector selector;
  private final Thread thread;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Queue<ControlLink> attention = new ConcurrentLinkedQueue<>();
  private final Links links; // of the loop's thread
  private final Set<ControlListener> listeners = new LinkedHashSet<>(); // of the loop's thread
  private volatile boolean stopping;

  private ControlLoop(String name, DebugLogger logger, long silenceNanos) throws IOException {
    this.logger = logger;
    selector = Selector.open();
    links = new Links(selector, listeners, logger, silenceNanos);
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
          new ControlListener(this, links, channel, source.apply(channel), key, accepted, logger);
      ServerSocketChannel bound = channel;
      later(() -> {
        bound.register(selector, SelectionKey.OP_ACCEPT, listener);
        listeners.add(listener);
      });
      return listener;
    } catch (IOException e) {
      links.closeQuietly(channel);
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
    later(() -> links.connect(link));
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
      links.close();
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
    long end = System.nanoTime() + 3 * Links.GOODBYE_NANOS;
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
    links.closeQuietly(listener.channel());
  }

  private void run() {
    try {
      while (!stopping || !links.isEmpty()) {
        step();
      }
    } catch (IOException | RuntimeException | Error e) {
      logger.warn(HERE, "the thread of control connections ended: " + e);
      links.abandon(e);
      if (e instanceof Error error) {
        throw error;
      }
    } finally {
      for (ControlListener each : listeners) {
        links.closeQuietly(each.channel());
      }
      links.closeQuietly(selector);
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
        links.ready(link, each, now);
      }
    }
    selector.selectedKeys().clear();
    for (ControlLink link = attention.poll(); link != null; link = attention.poll()) {
      links.push(link, now);
    }
    for (ControlListener each : listeners) {
      each.look(now);
    }
    links.look(now);
  }
}
