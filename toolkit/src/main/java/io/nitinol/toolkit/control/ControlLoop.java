// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.connect.StrangerLog;
import io.nitinol.toolkit.proof.Greeting;
import io.nitinol.toolkit.proof.Handshake;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import io.nitinol.toolkit.thread.Waits;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The listeners and control connections of one owner, and the one daemon thread that serves them.
 * Whatever breaks the thread closes all of them, so that no other end waits in vain.
 */
@OnlyThread("control loop")
public final class ControlLoop {
  private record Timer(long nanos, Runnable action) {}

  /**
   * A listener that comes to the loop's thread; where the loop has ended, nobody else closes it.
   */
  private record Arrival(ControlLoop loop, ControlListener listener) implements Runnable {
    @Override
    public void run() {
      loop.add(listener);
    }
  }

  private static final int BACKLOG = 16_384; // as NCCL; the system caps it
  private static final int READ_BYTES = 64 << 10;

  private final ControlProtocol protocol;
  private final DebugLogger logger;
  private final Selector selector;
  private final Thread thread;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BYTES);
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>((a, b) -> Long.signum(a.nanos() - b.nanos()));
  private final Set<ControlLink> links = new LinkedHashSet<>();
  private final Set<ControlListener> listeners = new LinkedHashSet<>();
  private Consumer<Throwable> crashed = defect -> {};
  private boolean draining;
  private boolean stopped;
  private volatile boolean ended; // then no task is taken any more

  /**
   * Makes a loop without listeners and links, to be started with {@link #start}. One that is never
   * started has to be given up by {@link #release}.
   *
   * @param name the name of the thread, and of this end in the log
   * @param protocol what is fixed for all connections
   * @param logger where strangers that were turned away are reported
   * @throws IOException if the system has no more descriptors
   */
  @AnyThread
  public ControlLoop(String name, ControlProtocol protocol, DebugLogger logger) throws IOException {
    this.protocol = protocol;
    this.logger = logger;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    this.selector = Selector.open();
    Handshake.rehearse();
  }

  /**
   * Listens for connections. The address is taken when this returns; it is given back at once where
   * the loop is ending.
   *
   * @param at where; port 0 takes any that is free
   * @param name what the listener is called in the log
   * @param limits how long a connection has to prove itself
   * @param greetings makes what this end says on one connection
   * @param accepted is given each link once it has proven itself, and returns its listener
   * @return the listener
   * @throws IOException if nothing can listen there, or the loop has ended
   */
  @AnyThread
  public ControlListener listen(
      InetSocketAddress at,
      String name,
      StrangerLimits limits,
      Supplier<? extends Greeting> greetings,
      Function<ControlLink, ControlLink.Events> accepted)
      throws IOException {
    return listen(at, name, limits, greetings, accepted, channel -> channel::accept);
  }

  /** As the other one, with something between the listener and its channel. */
  ControlListener listen(
      InetSocketAddress at,
      String name,
      StrangerLimits limits,
      Supplier<? extends Greeting> greetings,
      Function<ControlLink, ControlLink.Events> accepted,
      Function<ServerSocketChannel, ControlListener.Source> source)
      throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      server.bind(at, BACKLOG);
      server.configureBlocking(false);
      String full = name + " on " + Addresses.text(server.getLocalAddress());
      StrangerLog log =
          new StrangerLog(
              text -> logger.warn(protocol.location(), text), full, protocol.toldSingly());
      StrangerLog leavers =
          StrangerLog.byHost(
              text -> logger.info(protocol.subsystem(), protocol.location(), text),
              full,
              protocol.toldSingly());
      ControlListener listener =
          new ControlListener(
              this, server, source.apply(server), limits, greetings, accepted, log, leavers);
      if (thread.getState() == Thread.State.NEW) {
        if (isEnding()) {
          throw new IOException(thread.getName() + " was released");
        }
        add(listener);
      } else if (!execute(new Arrival(this, listener))) {
        throw new IOException(thread.getName() + " has ended");
      }
      return listener;
    } catch (IOException e) {
      release(server);
      throw e;
    } catch (IllegalArgumentException e) {
      release(server);
      throw new IOException("this JVM cannot listen at such an address: " + e, e);
    } catch (RuntimeException e) {
      release(server);
      throw e;
    }
  }

  private void add(ControlListener listener) {
    if (isEnding()) {
      release(listener.server()); // the kernel would accept what nobody serves
      return;
    }
    try {
      listener.server().register(selector, SelectionKey.OP_ACCEPT, listener);
      listeners.add(listener);
    } catch (ClosedChannelException e) {
      listeners.remove(listener); // closed before the loop came to it
    }
  }

  /**
   * Starts the thread.
   *
   * @param broken is told on the loop's thread when a defect ends the loop; its links close after
   *     that
   * @throws NetException with SYSTEM_ERROR if the system allows no more threads; all is released
   *     then
   */
  @AnyThread
  public void start(Consumer<Throwable> broken) {
    crashed = broken;
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      release();
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          "cannot start the thread " + thread.getName() + ": " + e.getMessage(),
          e);
    }
  }

  /** Gives up a loop that was not started: closes its listeners. */
  @AnyThread
  public void release() {
    releaseEverything("this end is closing");
  }

  ControlProtocol protocol() {
    return protocol;
  }

  /** Returns the buffer to read into; its content is good until the next read. */
  ByteBuffer readBuffer() {
    return readBuffer;
  }

  SelectionKey register(SocketChannel channel, int interest, ControlLink link) throws IOException {
    return channel.register(selector, interest, link);
  }

  /**
   * Runs {@code task} on the loop's thread, after those that were given before; never where the
   * loop has ended.
   *
   * @param task may not wait; what it throws breaks the loop
   * @return false where the loop had ended before; true where the task runs unless the loop ends
   *     first
   */
  @AnyThread
  public boolean execute(Runnable task) {
    tasks.add(task);
    selector.wakeup();
    return !ended || !tasks.remove(task);
  }

  /**
   * Runs {@code action} on the loop's thread later.
   *
   * @param nanos when, from now on
   * @param action may not wait; what it throws breaks the loop
   */
  public void after(long nanos, Runnable action) {
    timers.add(new Timer(System.nanoTime() + nanos, action));
  }

  /**
   * Begins to connect. Does nothing where the loop has ended and closes its links: an owner may be
   * told of one's end and want another.
   *
   * @param to where the other end may listen, at least one address; all are tried in turn
   * @param patience how long failed tries are repeated
   * @param limit how long it may take until the link is open
   * @param greeting what this end says
   * @param events the link's listener; not called before this method has returned
   * @return the link, which takes frames at once
   */
  public ControlLink dial(
      List<InetSocketAddress> to,
      Patience patience,
      Duration limit,
      Greeting greeting,
      ControlLink.Events events) {
    long deadline = System.nanoTime() + limit.toNanos();
    ControlLink link = new ControlLink(this, to, patience, deadline, greeting, events);
    if (stopped) {
      return link; // whose socket nothing would close
    }
    links.add(link);
    after(limit.toNanos(), link::expire);
    link.attempt();
    return link;
  }

  /**
   * Returns the links that are open or being opened.
   *
   * @return a copy, without inbound links that have not proven themselves
   */
  public List<ControlLink> links() {
    return new ArrayList<>(links);
  }

  /**
   * Ends the loop when every link has sent what is waiting and the other ends have closed too, or
   * after a time limit. Accepts no more connections, but lets those finish whose proof is on its
   * way: their other ends know that this end is the right one, and its silence would look like the
   * death of this process. It does not wait for those on which nothing depends.
   *
   * @param limitNanos the limit
   */
  public void drain(long limitNanos) {
    if (draining) {
      return;
    }
    draining = true;
    for (ControlListener each : listeners) {
      release(each.server());
      each.dropUnawaited("this end accepts nobody any more");
    }
    after(limitNanos, () -> stopped = true);
    links().forEach(ControlLink::finish);
  }

  /**
   * Returns whether the loop ends by {@link #drain}.
   *
   * @return false as long as it goes on, and where a defect ends it
   */
  public boolean isDraining() {
    return draining;
  }

  /** Returns whether the loop ends, for whatever reason. */
  boolean isEnding() {
    return draining || stopped;
  }

  /**
   * Waits for the thread's end, which no interrupt ends.
   *
   * @param limit how long
   * @return whether it came in time
   */
  @AnyThread
  public boolean join(Duration limit) {
    return Waits.join(thread, System.nanoTime() + Waits.nanos(limit));
  }

  /**
   * Returns whether the caller is the loop's thread.
   *
   * @return false for any other thread
   */
  @AnyThread
  public boolean isLoopThread() {
    return Thread.currentThread().equals(thread);
  }

  private void run() {
    try {
      while (!stopped && !isDrained()) {
        selector.select(this::ready, millisToWait());
        runTasks();
        runTimers();
        listeners.forEach(ControlListener::dropSlow);
      }
      releaseEverything("this end is closing");
    } catch (IOException | RuntimeException | Error e) {
      try {
        crashed.accept(e);
      } finally {
        releaseAfter(e);
      }
    }
  }

  private boolean isDrained() {
    return draining
        && links.isEmpty()
        && listeners.stream().allMatch(each -> each.strangers() == 0);
  }

  /** Closes the links before anything is logged: the log may be what broke. */
  private void releaseAfter(Throwable defect) {
    String what = thread.getName() + " ends: " + defect;
    try {
      releaseEverything(what);
    } finally {
      logger.warn(protocol.location(), what);
    }
  }

  private long millisToWait() {
    if (!tasks.isEmpty()) {
      return 1; // the selector was woken for them in any case
    }
    long nanos = TimeUnit.MINUTES.toNanos(1);
    if (!timers.isEmpty()) {
      nanos = Math.min(nanos, timers.element().nanos() - System.nanoTime());
    }
    for (ControlListener each : listeners) {
      nanos = Math.min(nanos, each.nanosToNext());
    }
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
  }

  private void ready(SelectionKey key) {
    if (key.attachment() instanceof ControlLink link) {
      link.ready(key);
    } else if (key.attachment() instanceof ControlListener listener && key.isValid()) {
      listener.accept(key);
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

  /** Takes note of a link that has proven itself. */
  void opened(ControlLink link) {
    links.add(link);
  }

  /** Takes note of a link that has ended. */
  void forget(ControlLink link) {
    links.remove(link);
  }

  /** Takes note of a listener that is closed. */
  void remove(ControlListener listener) {
    listeners.remove(listener);
    release(listener.server());
  }

  /** Closes a channel; a failure to do so changes nothing for anybody. */
  void release(SelectableChannel channel) {
    closeQuietly(channel);
  }

  private void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      logger.info(
          protocol.subsystem(), protocol.location(), thread.getName() + ": close: " + text(e));
    }
  }

  private void releaseEverything(String reason) {
    stopped = true;
    List<Runnable> closings = new ArrayList<>();
    listeners.forEach(each -> closings.add(() -> release(each.server())));
    links().forEach(each -> closings.add(() -> each.close(reason)));
    listeners.forEach(each -> closings.add(() -> each.dropAll(reason)));
    closings.add(() -> closeQuietly(selector));
    closings.add(this::dropTasks);
    runAll(closings);
  }

  private void dropTasks() {
    ended = true; // before: what comes in between is taken back by its caller, or here
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      if (task instanceof Arrival arrival) {
        release(arrival.listener().server());
      }
    }
  }

  /**
   * Runs all, then throws what the first failing one threw: an owner's events may be what broke.
   */
  private static void runAll(List<Runnable> closings) {
    Throwable first = null;
    for (Runnable each : closings) {
      try {
        each.run();
      } catch (RuntimeException | Error e) {
        if (first == null) {
          first = e;
        } else if (!first.equals(e)) { // nothing suppresses itself
          first.addSuppressed(e);
        }
      }
    }
    if (first instanceof Error e) {
      throw e;
    }
    if (first instanceof RuntimeException e) {
      throw e;
    }
  }

  /**
   * Returns what an I/O exception reports, in words.
   *
   * @param e the exception
   * @return its message, or its class where it has none
   */
  @AnyThread
  public static String text(IOException e) {
    String message = e.getMessage();
    return message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
  }
}
