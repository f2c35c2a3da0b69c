// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import io.nitinol.core.CommException;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.profiler.v1.ProfilerReport;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A profiler at work for one communicator. One that throws is switched off, which is all that
 * happens.
 */
@AnyThread
public final class ProfilerSession implements AutoCloseable {

  /** Reports for which calls of the network plugin that register memory are timed. */
  private static final int REGISTERING =
      ReportType.SLOW_CALL.mask() | ReportType.REGISTRATION.mask();

  private final Profiler profiler;
  private final Profiler.Context context;
  private final int rank;
  private final DebugLogger logger;

  /** From how many nanoseconds on a call of the network plugin is slow. */
  private final long slowNanos;

  /** Which reports the profiler wants, as it said last; 0 once it is off. */
  private volatile int reports;

  /** Held while the communicator's failure is told, which may happen while it closes. */
  private final Object telling = new Object();

  /** Whether the failure was told, or was not wanted; guarded by telling. */
  private boolean failed;

  /** How many of each collective the communicator has submitted. */
  private final AtomicLongArray sequences = new AtomicLongArray(Collective.values().length);

  /**
   * What a thread is submitting. Taken out when that is done: it leads here, and would keep this
   * session for as long as the thread lives.
   */
  @SuppressWarnings("ThreadLocalUsage") // one group may be submitted on several communicators
  private final ThreadLocal<CallEvents> submitting = new ThreadLocal<>();

  /**
   * What a call is while nothing is wanted: the same for all, so that nothing is made, and no
   * thread has to keep it.
   */
  private final CallEvents nothing = new CallEvents(this, 0);

  private final LongSupplier clock;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean off;

  private ProfilerSession(
      Profiler profiler,
      int rank,
      Profiler.Context context,
      long slowNanos,
      DebugLogger logger,
      LongSupplier clock) {
    this.slowNanos = slowNanos;
    this.clock = clock;
    this.profiler = profiler;
    this.rank = rank;
    this.context = context;
    this.logger = logger;
  }

  /**
   * Begins with a communicator; null, and a warning, where the profiler does not want to.
   *
   * @param slowNanos from how many nanoseconds on a call of the network plugin is slow
   */
  public static @Nullable ProfilerSession begin(
      Profiler profiler,
      long commId,
      @Nullable String commName,
      int nodes,
      int ranks,
      int rank,
      long slowNanos,
      DebugLogger logger) {
    return begin(
        profiler, commId, commName, nodes, ranks, rank, slowNanos, logger, System::nanoTime);
  }

  /** The same with a clock of the caller's. */
  static @Nullable ProfilerSession begin(
      Profiler profiler,
      long commId,
      @Nullable String commName,
      int nodes,
      int ranks,
      int rank,
      long slowNanos,
      DebugLogger logger,
      LongSupplier clock) {
    try {
      Profiler.Context context;
      synchronized (profiler) { // communicators are made on threads of their own
        context = profiler.init(commId, commName, nodes, ranks, rank, logger);
      }
      if (context == null) {
        logger.warn("profiler", "profiler " + profiler.name() + " returned no context; not used");
        return null;
      }
      logger.info(LogSubsystem.PROFILE, "profiler", "using profiler " + profiler.name());
      ProfilerSession session =
          new ProfilerSession(profiler, rank, context, slowNanos, logger, clock);
      session.askForReports();
      return session;
    } catch (RuntimeException | Error e) {
      logger.warn("profiler", "profiler " + profiler.name() + " cannot be used: " + e);
      return null;
    }
  }

  /** Begins a call outside any group; {@link CallEvents#end} has to follow, by the same thread. */
  public CallEvents call() {
    int mask = mask();
    if (mask == 0) {
      return nothing;
    }
    CallEvents events = new CallEvents(this, mask);
    events.begin(1);
    events.submitting();
    return events;
  }

  /** Begins the calls of a group on this communicator; {@link CallEvents#end} has to follow. */
  public CallEvents group() {
    CallEvents events = new CallEvents(this, mask());
    events.begin(2);
    return events;
  }

  /** Returns what the calling thread is submitting. */
  public CallEvents current() {
    CallEvents known = submitting.get();
    if (known != null) {
      return known;
    }
    int mask = mask(); // no call of the application led here, or one of which nothing was wanted
    return mask == 0 ? nothing : new CallEvents(this, mask);
  }

  void submitting(@Nullable CallEvents events) {
    if (events == null) {
      submitting.remove();
    } else {
      submitting.set(events);
    }
  }

  /**
   * Makes the events of one direction of a connection of the network.
   *
   * @param chunkSize the most data bytes of a message
   * @param slots how many messages may be on their way
   */
  public ConnectionEvents connection(
      boolean sends, int channel, int peer, int chunkSize, int slots) {
    return new ConnectionEvents(this, sends, channel, peer, chunkSize, slots);
  }

  /**
   * Returns the plugin for one connection, whose calls and registrations are reported.
   *
   * @param sends whether this rank sends over it
   */
  public Net timed(Net net, boolean sends, int peer, int channel) {
    return new TimedNet(net, new PluginCalls(this, sends, peer, channel));
  }

  /** Returns the plugin of a collective network for one channel, likewise. */
  public CollNet timed(CollNet net, int channel) {
    return new TimedCollNet(net, new PluginCalls(this, true, -1, channel));
  }

  /** Returns which events are wanted now, and notes which reports are. */
  public int mask() {
    if (off) {
      return 0;
    }
    try {
      noteReports();
      return context.activationMask();
    } catch (RuntimeException | Error e) {
      switchOff(e);
      return 0;
    }
  }

  int rank() {
    return rank;
  }

  /** Counts a call of a collective; returns how many there were before. */
  long nextSequence(Collective function) {
    return sequences.getAndIncrement(function.ordinal());
  }

  /** Starts an event; returns 0 where it is not recorded. */
  long start(EventDescriptor descriptor) {
    if (off) {
      return 0;
    }
    try {
      return profiler.startEvent(context, descriptor);
    } catch (RuntimeException | Error e) {
      switchOff(e);
      return 0;
    }
  }

  /** Stops an event, if it is one. */
  public void stop(long event) {
    if (event == 0 || off) {
      return;
    }
    try {
      profiler.stopEvent(context, event);
    } catch (RuntimeException | Error e) {
      switchOff(e);
    }
  }

  /** Stops the event of an operation that was given up, if it is one. */
  public void giveUp(long event) {
    if (event == 0 || off) {
      return;
    }
    try {
      context.givenUp(event);
    } catch (RuntimeException | Error e) {
      switchOff(e);
    }
    stop(event);
  }

  /** Tells what happens to an event, if it is one. */
  void record(long event, EventState state, long argument) {
    record(event, state, argument, null);
  }

  void record(long event, EventState state, long argument, @Nullable MemorySegment data) {
    if (event == 0 || off) {
      return;
    }
    try {
      profiler.recordEventState(context, event, state, argument, data);
    } catch (RuntimeException | Error e) {
      switchOff(e);
    }
  }

  /** Starts the steps of a channel. */
  public long channelBegins(int mask, long parent, int channel) {
    if ((mask & Wanted.KERNEL_CH) == 0) {
      return 0;
    }
    Descriptors.KernelCh descriptor = Descriptors.own().kernelCh;
    descriptor.at(rank, parent);
    descriptor.channel = channel;
    descriptor.timer = now();
    return start(descriptor);
  }

  /** Ends the steps of a channel. */
  public void channelEnds(long event) {
    if (event != 0) {
      record(event, EventState.KERNEL_CH_STOP, now());
      stop(event);
    }
  }

  /** Reports that the progress thread goes to sleep; returns the event. */
  public long sleeps() {
    if ((mask() & Wanted.PROXY_CTRL) == 0) {
      return 0;
    }
    Descriptors.Plain descriptor = Descriptors.own().proxyCtrl;
    descriptor.at(rank, 0);
    long event = start(descriptor);
    record(event, EventState.PROXY_CTRL_SLEEP, 0);
    return event;
  }

  /** Reports that the progress thread has woken up. */
  public void wakes(long event) {
    record(event, EventState.PROXY_CTRL_WAKEUP, 0);
    stop(event);
  }

  /** Notes which reports are wanted now. */
  public void askForReports() {
    if (off) {
      return;
    }
    try {
      noteReports();
    } catch (RuntimeException | Error e) {
      switchOff(e);
    }
  }

  private void noteReports() {
    int wanted = context.reportMask();
    if (wanted != reports) { // a write would make the threads that move data read it from afar
      reports = wanted;
    }
    if (off) { // by another thread, which may have cleared them before the write
      reports = 0;
    }
  }

  /** Returns whether reports of a kind are wanted, as the profiler said last. */
  public boolean wants(ReportType type) {
    return (reports & type.mask()) != 0;
  }

  /** Reads the clock, which nothing does of which no report or event is wanted. */
  long now() {
    return clock.getAsLong();
  }

  /** Returns whether calls of the network plugin are to be timed: one volatile read. */
  boolean timesCalls() {
    return wants(ReportType.SLOW_CALL);
  }

  /** Returns the same of calls that register memory. */
  boolean timesRegistrations() {
    return (reports & REGISTERING) != 0;
  }

  /** Reports a call of the network plugin, if it was slow and that is wanted. */
  void called(String call, boolean sends, int peer, int channel, long begin, long nanos) {
    if (nanos >= slowNanos && wants(ReportType.SLOW_CALL)) {
      report(new ProfilerReport.SlowCall(call, sends, peer, channel, begin, nanos));
    }
  }

  /** Reports the communicator's first failure. May come while it closes, and is nothing after. */
  public void failed(CommException failure) {
    long now = now();
    synchronized (telling) {
      if (failed) {
        return;
      }
      failed = true;
      askForReports();
      if (wants(ReportType.FAILURE)) {
        report(
            new ProfilerReport.Failure(
                failure.result(), failure.failedRank(), String.valueOf(failure.getMessage()), now));
      }
    }
  }

  /** Hands a report on, of a kind that was found to be wanted. */
  public void report(ProfilerReport report) {
    if (off) {
      return;
    }
    try {
      context.report(report);
    } catch (RuntimeException | Error e) {
      switchOff(e);
    }
  }

  private synchronized void switchOff(Throwable e) {
    boolean first = !off;
    off = true; // before the mask, which another thread may be about to write again
    reports = 0;
    if (first) {
      logger.warn(
          "profiler",
          "profiler " + profiler.name() + " of rank " + rank + " failed and is switched off: " + e);
    }
  }

  /** Ends. Nothing may be under way any more. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    NetEvents.instance().end(this);
    synchronized (telling) {
      off = true;
      reports = 0;
    }
    try {
      synchronized (profiler) {
        profiler.finalizeContext(context);
      }
    } catch (RuntimeException | Error e) {
      logger.warn("profiler", "profiler " + profiler.name() + " failed to end: " + e);
    }
  }
}
