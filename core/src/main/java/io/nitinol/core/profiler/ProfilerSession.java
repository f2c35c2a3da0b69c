// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * A profiler at work for one communicator. One that throws is switched off, which is all that
 * happens.
 */
@AnyThread
public final class ProfilerSession implements AutoCloseable {

  private final Profiler profiler;
  private final Profiler.Context context;
  private final int rank;
  private final DebugLogger logger;

  /** How many of each collective the communicator has submitted. */
  private final AtomicLongArray sequences = new AtomicLongArray(Collective.values().length);

  /**
   * What a thread is submitting. Taken out when that is done: it leads here, and would keep this
   * session for as long as the thread lives.
   */
  @SuppressWarnings("ThreadLocalUsage") // one group may be submitted on several communicators
  private final ThreadLocal<CallEvents> submitting = new ThreadLocal<>();

  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean off;

  private ProfilerSession(
      Profiler profiler, int rank, Profiler.Context context, DebugLogger logger) {
    this.profiler = profiler;
    this.rank = rank;
    this.context = context;
    this.logger = logger;
  }

  /** Begins with a communicator; null, and a warning, where the profiler does not want to. */
  public static @Nullable ProfilerSession begin(
      Profiler profiler,
      long commId,
      @Nullable String commName,
      int nodes,
      int ranks,
      int rank,
      DebugLogger logger) {
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
      return new ProfilerSession(profiler, rank, context, logger);
    } catch (RuntimeException | Error e) {
      logger.warn("profiler", "profiler " + profiler.name() + " cannot be used: " + e);
      return null;
    }
  }

  /** Begins a call outside any group; {@link CallEvents#end} has to follow, by the same thread. */
  public CallEvents call() {
    CallEvents events = new CallEvents(this);
    events.begin(1);
    events.submitting();
    return events;
  }

  /** Begins the calls of a group on this communicator; {@link CallEvents#end} has to follow. */
  public CallEvents group() {
    CallEvents events = new CallEvents(this);
    events.begin(2);
    return events;
  }

  /** Returns what the calling thread is submitting. */
  public CallEvents current() {
    CallEvents known = submitting.get();
    return known == null ? new CallEvents(this) : known; // no call of the application led here
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

  /** Returns which events are wanted now. */
  public int mask() {
    if (off) {
      return 0;
    }
    try {
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
    descriptor.timer = System.nanoTime();
    return start(descriptor);
  }

  /** Ends the steps of a channel. */
  public void channelEnds(long event) {
    record(event, EventState.KERNEL_CH_STOP, System.nanoTime());
    stop(event);
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

  private synchronized void switchOff(Throwable e) {
    if (!off) {
      off = true;
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
    off = true;
    try {
      synchronized (profiler) {
        profiler.finalizeContext(context);
      }
    } catch (RuntimeException | Error e) {
      logger.warn("profiler", "profiler " + profiler.name() + " failed to end: " + e);
    }
  }
}
