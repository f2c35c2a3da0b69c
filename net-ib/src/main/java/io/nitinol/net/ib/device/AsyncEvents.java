// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.verbs.AsyncEvent;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the asynchronous events of a card on a thread of its own, logs them, and tells the comms
 * that a fatal one concerns; mirrors {@code ncclIbAsyncThreadMain}. The thread starts with the
 * first comm.
 */
@AnyThread
public final class AsyncEvents {
  /** How long one wait for an event takes, and so the end of the thread, at most. */
  private static final int WAIT_MILLIS = 500;

  private static final Duration END = Duration.ofSeconds(5);

  /** A comm's claim on events of its queue pairs and completion queues. */
  public final class Watch implements AutoCloseable {
    private final FatalListener listener;
    private final Set<Integer> pairs = ConcurrentHashMap.newKeySet();
    private final Set<Long> queues = ConcurrentHashMap.newKeySet();

    private Watch(FatalListener listener) {
      this.listener = listener;
    }

    /**
     * Adds a queue pair of the comm.
     *
     * @param number its number, {@code ibv_qp.qp_num}
     */
    public void addQueuePair(int number) {
      pairs.add(number);
    }

    /**
     * Ends the claim on a queue pair's events, before it is destroyed.
     *
     * @param number its number
     */
    public void removeQueuePair(int number) {
      pairs.remove(number);
    }

    /**
     * Adds a completion queue of the comm.
     *
     * @param address where libibverbs keeps it
     */
    public void addCompletionQueue(long address) {
      queues.add(address);
    }

    /** Ends the claim: the listener is not called any more, but perhaps once at this moment. */
    @Override
    public void close() {
      watches.remove(this);
    }

    private boolean concerns(AsyncEvent event) {
      return switch (event.type().subject()) {
        case QUEUE_PAIR -> pairs.contains(event.queuePair());
        case COMPLETION_QUEUE -> queues.contains(event.queue());
        case DEVICE -> true;
        case PORT, OTHER -> false;
      };
    }
  }

  private final String card;
  private final OpenCard open;
  private final boolean failComms;
  private final DebugLogger logger;
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private final Set<Integer> down = ConcurrentHashMap.newKeySet();

  /** What happened to the whole card; it stays so. */
  private volatile @Nullable String failure;

  // The reading thread's.
  private @Nullable String last;
  private long repeated;

  private volatile boolean ending;
  private @Nullable Thread thread;

  /**
   * Makes the reader of a card's events; nothing is read yet.
   *
   * @param failComms whether fatal events are told to comms; otherwise they are only logged
   */
  AsyncEvents(String card, OpenCard open, boolean failComms, DebugLogger logger) {
    this.card = card;
    this.open = open;
    this.failComms = failComms;
    this.logger = logger;
  }

  /**
   * Begins to tell a comm of fatal events. What happened to the whole card before is told at once.
   *
   * @param listener the comm
   * @return the claim, to which the comm adds its queue pairs and completion queues, and which it
   *     closes before it destroys them
   */
  public Watch watch(FatalListener listener) {
    Watch watch = new Watch(listener);
    watches.add(watch);
    start();
    String known = failure;
    if (known != null && failComms) {
      listener.fatal(known);
    }
    return watch;
  }

  /** Returns whether a port has gone down and not come up again since the events are read. */
  boolean isDown(int port) {
    return down.contains(port);
  }

  /** Returns how many comms are told. */
  int watches() {
    return watches.size();
  }

  /**
   * Ends the thread.
   *
   * @return whether it has ended; it does within seconds
   */
  boolean close() {
    ending = true;
    Thread reading;
    synchronized (this) {
      reading = thread;
    }
    if (reading == null || reading.equals(Thread.currentThread())) {
      return true;
    }
    try {
      return reading.join(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private synchronized void start() {
    if (thread == null && !ending) {
      thread = Thread.ofPlatform().daemon().name("IB events of " + card).start(this::read);
    }
  }

  private void read() {
    try {
      while (!ending) {
        AsyncEvent event = open.nextEvent(WAIT_MILLIS);
        if (event != null) {
          take(event);
        }
      }
    } catch (RuntimeException e) {
      // Nobody will hear of what happens to the card from now on: comms must not rely on it. They
      // are told before the log is, which may be what failed.
      String what = e instanceof NetException ? e.getMessage() : e.toString();
      String text = "events of " + card + " cannot be read any more: " + what;
      failure = text;
      tell(List.copyOf(watches), text);
      logger.warn("net-ib", "NET/IB : " + text);
    }
  }

  private void take(AsyncEvent event) {
    switch (event.type()) {
      case PORT_ERR -> down.add(event.port());
      case PORT_ACTIVE -> down.remove(event.port());
      case COMM_EST -> {
        return; // the peer was faster; NCCL ignores it, too
      }
      default -> {}
    }
    String text = text(event);
    if (event.type().fatal()) {
      if (event.type() == AsyncEvent.Type.DEVICE_FATAL) {
        failure = text;
      }
      tell(watches.stream().filter(watch -> watch.concerns(event)).toList(), text);
    }
    log(event, text);
  }

  private void tell(List<Watch> concerned, String text) {
    if (failComms) {
      concerned.forEach(watch -> watch.listener.fatal(text));
    }
  }

  /** Logs repeated events ever less often: some drivers repeat one with each completion. */
  private void log(AsyncEvent event, String text) {
    repeated = text.equals(last) ? repeated + 1 : 1;
    last = text;
    if (Long.bitCount(repeated) == 1) {
      write(event, repeated == 1 ? text : text + " (" + repeated + " times)");
    }
  }

  private void write(AsyncEvent event, String text) {
    boolean usual =
        switch (event.type()) {
          case PORT_ACTIVE,
              GID_CHANGE,
              CLIENT_REREGISTER,
              SQ_DRAINED,
              PATH_MIG,
              QP_LAST_WQE_REACHED ->
              true;
          default -> false;
        };
    if (usual) {
      logger.log(LogLevel.INFO, LogSubsystem.NET.mask(), "net-ib", 0, "NET/IB : " + text);
    } else {
      logger.warn(
          "net-ib",
          ErrorText.of(
              "NET/IB : %s%s",
              text,
              event.type().fatal() && !failComms
                  ? "; no connection fails, since NCCL_IB_RETURN_ASYNC_EVENTS=0"
                  : ""));
    }
  }

  private String text(AsyncEvent event) {
    String what =
        switch (event.type().subject()) {
          case QUEUE_PAIR -> card + ", queue pair " + event.queuePair();
          case COMPLETION_QUEUE -> card + ", a completion queue";
          case PORT -> card + ":" + event.port();
          case DEVICE, OTHER -> card;
        };
    return "asynchronous event " + event.type() + " on " + what + ": " + event.text();
  }
}
