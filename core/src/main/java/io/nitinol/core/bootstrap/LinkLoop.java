// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One listening socket, its links, and the one daemon thread that serves them. */
final class LinkLoop {

  /** What happens on the links. All methods are called on the loop's thread. */
  interface Handler {
    /** The other end of {@code link} has proved itself. */
    void opened(Link link);

    /** A frame came. */
    void received(Link link, Frame frame);

    /** A message, a frame of {@code bytes}, has left. */
    void written(Link link, int bytes);

    /**
     * A link is gone.
     *
     * @param proved whether it was open; else it is an outbound one that could not be opened
     */
    void closed(Link link, boolean proved, String reason);

    /** The loop ends because of a defect; its links close after this. */
    void crashed(Throwable defect);
  }

  private record Timer(long nanos, Runnable action) {}

  private static final int BACKLOG = 16_384; // as NCCL; the system caps it

  /** After so many accepted connections the links get their turn. */
  static final int ACCEPTS_PER_TURN = 64;

  private static final int READ_BYTES = 64 << 10;
  private static final long ACCEPT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Duration STRANGER_LIMIT = Duration.ofSeconds(5);

  private final byte[] secret;
  private final int ownRank;
  private final long strangerNanos;
  private final DebugLogger log;
  private final StrangerLog strangerLog;
  private final Selector selector;
  private final ServerSocketChannel server;
  private final InetSocketAddress address;
  private final Thread thread;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BYTES);
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>((a, b) -> Long.signum(a.nanos() - b.nanos()));
  private final Set<Link> links = new LinkedHashSet<>();
  private final Strangers strangers = new Strangers();
  private @Nullable Handler handler;
  private boolean draining;
  private boolean stopped;

  /**
   * Listens at {@code at}, whose port may be 0.
   *
   * @param name of the thread, and of this end in the log
   * @param ownRank the rank to answer with, or {@link Handshake#ROOT}
   * @param limit the longest any wait lasts; strangers get less
   * @throws IOException when nothing can listen there
   */
  LinkLoop(
      String name,
      InetSocketAddress at,
      byte[] secret,
      int ownRank,
      Duration limit,
      DebugLogger log)
      throws IOException {
    this.secret = secret;
    this.ownRank = ownRank;
    this.strangerNanos = Math.min(limit.toNanos(), STRANGER_LIMIT.toNanos());
    this.log = log;
    this.strangerLog = new StrangerLog(log, name);
    thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    selector = Selector.open();
    ServerSocketChannel opened = null;
    try {
      opened = ServerSocketChannel.open();
      opened.bind(at, BACKLOG);
      opened.configureBlocking(false);
      opened.register(selector, SelectionKey.OP_ACCEPT);
      address = (InetSocketAddress) opened.getLocalAddress();
    } catch (IOException | RuntimeException e) {
      if (opened != null) {
        release(opened);
      }
      releaseSelector();
      if (e instanceof IllegalArgumentException) {
        throw new IOException("this JVM cannot listen at such an address: " + e, e);
      }
      throw e;
    }
    server = opened;
  }

  /**
   * Starts the thread.
   *
   * @throws BootstrapException when the system allows no more threads; all is released then
   */
  void start(Handler served) {
    handler = served;
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      releaseEverything();
      throw new BootstrapException(
          ResultCode.SYSTEM_ERROR,
          -1,
          "bootstrap: cannot start the thread " + thread.getName() + ": " + e.getMessage(),
          e);
    }
  }

  InetSocketAddress address() {
    return address;
  }

  byte[] secret() {
    return secret;
  }

  int ownRank() {
    return ownRank;
  }

  /** Returns the buffer to read into; its content is good until the next read. */
  ByteBuffer readBuffer() {
    return readBuffer;
  }

  Handler handler() {
    if (handler == null) {
      throw new IllegalStateException("not started");
    }
    return handler;
  }

  SelectionKey register(SocketChannel channel, int interest, Link link) throws IOException {
    return channel.register(selector, interest, link);
  }

  /** Runs {@code task} on the loop's thread, unless that has ended. Any thread may call this. */
  void execute(Runnable task) {
    tasks.add(task);
    selector.wakeup();
  }

  /** Runs {@code action} on the loop's thread after {@code nanos}. Loop thread only. */
  void after(long nanos, Runnable action) {
    timers.add(new Timer(System.nanoTime() + nanos, action));
  }

  /** Begins to connect, again and again until {@code limitNanos} are over. Loop thread only. */
  Link dial(Dialling.Target target, long limitNanos) {
    Link link = new Link(this, target, System.nanoTime() + limitNanos);
    links.add(link);
    after(limitNanos, link::expire);
    link.attempt();
    return link;
  }

  /** Returns the links that are open or being opened, without strangers. Loop thread only. */
  List<Link> links() {
    return new ArrayList<>(links);
  }

  /** Returns how many inbound connections have not proved themselves. Loop thread only. */
  int strangers() {
    return strangers.size();
  }

  /** As {@link StrangerLog#summary}. Loop thread only. */
  String turnedAway() {
    return strangerLog.summary();
  }

  /** Accepts nobody any more. Loop thread only. */
  void stopListening() {
    release(server);
    strangers.closeAll("this end accepts nobody any more");
  }

  /**
   * Ends the loop when every link has sent what is waiting and the other ends have closed too, or
   * after {@code limitNanos}. Accepts nobody any more, but lets those finish whose proof is on its
   * way: for them the link is open, and its end would look like that of this process. Loop thread
   * only.
   */
  void drain(long limitNanos) {
    if (draining) {
      return;
    }
    draining = true;
    release(server);
    strangers.closeUnanswered("this end accepts nobody any more");
    after(limitNanos, () -> stopped = true);
    links().forEach(Link::finish);
  }

  /** Waits for the thread's end; returns whether it came in time. */
  boolean join(Duration limit) throws InterruptedException {
    return thread.join(limit);
  }

  boolean isLoopThread() {
    return Thread.currentThread().equals(thread);
  }

  private void run() {
    try {
      while (!stopped && !(draining && links.isEmpty() && strangers.size() == 0)) {
        selector.select(this::ready, millisToWait());
        runTasks();
        runTimers();
        strangers.dropSlow();
      }
    } catch (IOException | RuntimeException | Error e) {
      try {
        handler().crashed(e);
      } finally {
        releaseAfter(e);
      }
    } finally {
      releaseEverything();
    }
  }

  /** Closes the links before anything is logged: the log may be what broke. */
  private void releaseAfter(Throwable defect) {
    try {
      releaseEverything();
    } finally {
      log.warn("bootstrap", thread.getName() + " ends: " + defect);
    }
  }

  private long millisToWait() {
    long now = System.nanoTime();
    long nanos = TimeUnit.MINUTES.toNanos(1);
    if (!tasks.isEmpty()) {
      return 1; // the selector was woken for them in any case
    }
    if (!timers.isEmpty()) {
      nanos = Math.min(nanos, timers.element().nanos() - now);
    }
    nanos = Math.min(nanos, strangers.nanosToNext());
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
  }

  private void ready(SelectionKey key) {
    if (key.attachment() instanceof Link link) {
      link.ready(key);
    } else if (key.isValid() && key.isAcceptable()) {
      accept(key);
    }
  }

  private void accept(SelectionKey key) {
    try {
      for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
        SocketChannel next = server.accept();
        if (next == null) {
          return;
        }
        strangers.makeRoom();
        admit(next);
      }
    } catch (IOException e) {
      // Most likely out of descriptors: take back what strangers hold, the oldest first, since
      // members prove themselves soon. Without any, a pause keeps this from spinning.
      strangerLog.note("cannot accept a connection: " + text(e));
      if (strangers.size() == 0) {
        pauseAccepting(key);
      } else {
        strangers.dropOldest(1 + strangers.size() / 4, "this end is out of descriptors");
      }
    }
  }

  private void pauseAccepting(SelectionKey key) {
    key.interestOps(0);
    after(
        ACCEPT_PAUSE_NANOS,
        () -> {
          if (key.isValid()) {
            key.interestOps(SelectionKey.OP_ACCEPT);
          }
        });
  }

  private void admit(SocketChannel channel) {
    try {
      strangers.add(new Link(this, channel, System.nanoTime() + strangerNanos));
    } catch (IOException e) {
      release(channel); // it was gone before we looked
      strangerLog.dropped("an address that is gone", text(e));
    }
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  private void runTimers() {
    long now = System.nanoTime();
    while (!timers.isEmpty() && timers.element().nanos() - now <= 0) {
      timers.remove().action().run();
    }
  }

  /** A link proved itself. */
  void opened(Link link) {
    strangers.remove(link);
    links.add(link);
    handler().opened(link);
    if (draining) {
      link.finish();
    }
  }

  /** A link is closed. */
  void closed(Link link, boolean proved, String reason) {
    strangers.remove(link);
    links.remove(link);
    if (proved || !link.isInbound()) {
      handler().closed(link, proved, reason);
    } else if (!draining) {
      strangerLog.dropped(link.remote(), reason);
    }
  }

  /** Closes a channel; a failure to do so changes nothing for anybody. */
  void release(SelectableChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      log.info(LogSubsystem.BOOTSTRAP, "bootstrap", thread.getName() + ": close: " + text(e));
    }
  }

  private void releaseEverything() {
    stopped = true;
    draining = true;
    release(server);
    for (Link each : links()) {
      each.close("this end is closing");
    }
    strangers.closeAll("this end is closing");
    releaseSelector();
  }

  private void releaseSelector() {
    try {
      selector.close();
    } catch (IOException e) {
      log.info(LogSubsystem.BOOTSTRAP, "bootstrap", thread.getName() + ": close: " + text(e));
    }
  }

  /** Returns what an I/O exception says, in words. */
  static String text(IOException e) {
    String message = e.getMessage();
    return message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
  }
}
