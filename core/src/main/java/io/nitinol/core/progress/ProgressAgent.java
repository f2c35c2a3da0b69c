// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.progress.task.ActiveConnectors;
import io.nitinol.core.progress.task.Task;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The work of an engine, and the right to do it: the driving thread is the one that has the right.
 * It moves all connections of a communicator, and runs the executor too unless kernel threads have
 * executors of their own. A thread that waits for a result takes the right when it is free, because
 * handing work to another thread costs more than doing it where processors are few. An agent in the
 * sense of Agrona, which {@link AgentInvoker} and {@link AgentRunner} run.
 */
final class ProgressAgent {
  private static final int FREE = 0;
  private static final int TAKEN = 1;
  private static final int CLOSED = 2;

  /** So often at least has nothing to have moved, before nothing moves. */
  private static final int LEAST_LOOKS = 10;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(ProgressAgent.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ActiveConnectors connectors;
  private final Executor[] executors;
  private final boolean runsExecutors;
  private final CommFailures failures;
  private final CallCheck calls;
  private final LeaverCheck leavers;

  @SuppressWarnings("UnusedVariable") // by STATE
  private int state;

  /** Sends in this thread's stead where that is worth it; null where no helper may. */
  private @Nullable SendHelp sendHelp;

  /** The thread that took the right last. For messages, so plain. */
  private @Nullable Thread holder;

  // For the driving thread only: when it was looked at last whether anything has moved, or 0 where
  // something has; how much had moved by then; and for how long nothing has.
  private long lookedAt;
  private long quietAt;
  private long quietNanos;

  ProgressAgent(
      ActiveConnectors connectors,
      Executor[] executors,
      boolean runsExecutors,
      CommFailures failures,
      CallCheck calls,
      LeaverCheck leavers) {
    this.connectors = connectors;
    this.executors = executors;
    this.runsExecutors = runsExecutors;
    this.failures = failures;
    this.calls = calls;
    this.leavers = leavers;
  }

  /** Has a helper send; before the first work. */
  void helpBy(SendHelp help) {
    sendHelp = help;
  }

  /** Takes the right to move things if it is free. */
  boolean tryTake() {
    boolean taken =
        (int) STATE.getOpaque(this) == FREE
            && (int) STATE.compareAndExchangeAcquire(this, FREE, TAKEN) == FREE;
    if (taken) {
      holder = Thread.currentThread();
    }
    return taken;
  }

  /** Returns whether a thread has the right now. */
  boolean isHeldBy(Thread thread) {
    return (int) STATE.getOpaque(this) == TAKEN && thread.equals(holder);
  }

  /** Returns the name of the thread that has the right, or had it last, or that sends for it. */
  String holder() {
    SendHelp help = sendHelp;
    if (help != null && isClosed() && help.isHelped()) {
      return help.helper();
    }
    Thread thread = holder;
    return thread == null ? "unknown" : thread.getName();
  }

  /** Gives the right back. */
  void release() {
    SendHelp help = sendHelp;
    if (help != null) {
      help.leave();
    }
    STATE.setRelease(this, FREE);
  }

  /** Takes the right for good, if it is free; true also when that has happened before. */
  boolean tryClose() {
    int was = (int) STATE.compareAndExchange(this, FREE, CLOSED);
    SendHelp help = sendHelp;
    return was != TAKEN && (help == null || help.tryClose());
  }

  /** Returns whether the right has been taken for good. */
  boolean isClosed() {
    return (int) STATE.getVolatile(this) == CLOSED;
  }

  /**
   * Returns whether no thread has the right, and any thread that takes it from now on sees
   * everything that the calling thread has seen.
   */
  @AnyThread
  boolean isIdle() {
    if (tryTake()) {
      release();
      return true;
    }
    return isClosed();
  }

  /** Moves everything once. Only with the right to. Returns how many things happened. */
  int doWork() {
    if (failures.isStopped()) {
      failures.settle();
      return 0;
    }
    int work = 0;
    try {
      boolean network = usesNetwork();
      if (network) {
        work += receive();
      }
      if (runsExecutors) {
        work += runExecutors();
        network |= work > 0 && usesNetwork();
      }
      if (network) {
        work += send();
      }
    } catch (Throwable e) {
      // Whatever it is, the operation cannot go on and a thread waits for it.
      failures.failHere(e, "a call of the network plugin");
    }
    if (work > 0) {
      lookedAt = 0;
    }
    return work;
  }

  private int runExecutors() {
    int work = 0;
    try {
      for (Executor executor : executors) {
        work += executor.run();
      }
    } catch (Throwable e) {
      failures.failHere(e, "a step");
    }
    return work;
  }

  /** Lets the network bring what has come. */
  private int receive() {
    int work = 0;
    for (ReceiveConnector receive : connectors.receives()) {
      try {
        work += receive.progress();
      } catch (NetException e) {
        failures.suspect(receive.isNetwork() ? Task.NOBODY : receive.peer(), e);
        return work;
      }
    }
    return work;
  }

  /** Lets the network take what is there. */
  private int send() {
    SendHelp help = sendHelp;
    int work =
        help == null ? SendHelp.turn(connectors, failures, true, true) : help.send(streams());
    for (Executor executor : executors) {
      executor.settleNetwork(connectors);
    }
    return work;
  }

  /** Returns whether some operation at hand may have several messages under way. */
  private boolean streams() {
    for (Executor executor : executors) {
      if (executor.streams()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the network has anything to do. */
  private boolean usesNetwork() {
    for (Executor executor : executors) {
      if (executor.usesNetwork()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Notes that nothing moves, and fails the communicator when that has been so for too long, or
   * when it is known that it will stay so. A connection that is being made and comes forward is
   * something that moves. Only with the right to move things, and after a {@link #doWork} that has
   * moved nothing.
   *
   * @param nanos how long is too long; 0 for never
   */
  void quiet(long now, long nanos) {
    long moved = connectors.moves();
    for (Executor executor : executors) {
      moved += executor.moves(); // by kernel threads, which do not come by here
    }
    SendHelp help = sendHelp;
    if (help != null) {
      moved += help.moves();
    }
    if (lookedAt == 0 || moved != quietAt) {
      lookedAt = now;
      quietAt = moved;
      quietNanos = 0;
      calls.moved();
      leavers.moved();
    } else if (!failures.isStopped()) {
      // A thread that has not run for a while has not looked either: on a busy machine, or in a
      // process that was stopped, what it waits for may have come.
      long since = now - lookedAt;
      quietNanos += nanos > 0 ? Math.min(since, nanos / LEAST_LOOKS + 1) : since;
      lookedAt = now;
      calls.quiet(quietNanos);
      FailureReport seen = nanos > 0 && quietNanos > nanos ? waiting() : leavers.quiet(quietNanos);
      if (seen != null) {
        failures.report(seen);
      }
    }
  }

  /**
   * Returns for how many nanoseconds nothing has moved, as the driving thread saw it last; 0 where
   * something moves. Approximate for threads that do not drive.
   */
  @AnyThread
  long quietNanos() {
    return lookedAt == 0 ? 0 : quietNanos;
  }

  /** Returns whether operation {@code sequence} is done by all executors. */
  @AnyThread
  boolean isDone(long sequence) {
    for (Executor executor : executors) {
      if (executor.completed() < sequence) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a helper sends. */
  boolean isHelped() {
    SendHelp help = sendHelp;
    return help != null && help.isHelped();
  }

  /** Returns whether the network has taken everything it was given. */
  @AnyThread
  boolean isDrained() {
    return !usesNetwork();
  }

  /**
   * Returns what this rank waits for, or null where it does not. Any thread; approximate for those
   * that do not drive.
   */
  @Nullable FailureReport waiting() {
    int rank = failures.rank();
    boolean busy = false;
    for (Executor executor : executors) {
      ExecutorReport report = executor.report();
      int waitsFor = report.waitsFor();
      boolean lacksTeam = waitsFor == Task.NOBODY && report.lacksHostMemory();
      if (waitsFor != Task.NOBODY || lacksTeam) {
        int blames = lacksTeam ? connectors.nextOnHost() : waitsFor;
        String what = "waits for " + report.describeWait();
        if (waitsFor != Task.NOBODY) {
          what += connectors.connecting(waitsFor);
        }
        return new FailureReport(rank, ResultCode.TIMEOUT, blames, report.call(), stalled(what));
      }
      busy |= report.isBusy();
    }
    SendConnector undrained = busy || isDrained() ? null : connectors.undrained();
    return undrained == null
        ? null
        : new FailureReport(
            rank, ResultCode.TIMEOUT, undrained.peer(), stalled(notTaken(undrained)));
  }

  private String stalled(String what) {
    return ErrorText.of(
        "nothing has moved for as long as NITINOL_TIMEOUT allows: rank %s %s",
        failures.rank(), what);
  }

  private static String notTaken(SendConnector send) {
    return "has done its operations, but rank " + send.peer() + " does not take its last messages";
  }

  /** Returns the failure of a rank that closes although something is pending still. */
  CommException unfinished(boolean done, long seconds) {
    int rank = failures.rank();
    SendConnector undrained = done && !isDrained() ? connectors.undrained() : null;
    if (undrained != null) {
      return new CommException(
          ResultCode.TIMEOUT,
          undrained.peer(),
          "rank " + rank + " closes: it " + notTaken(undrained) + ", not within " + seconds + " s",
          null);
    }
    FailureReport seen = waiting();
    return new CommException(
        ResultCode.INVALID_USAGE,
        rank,
        ErrorText.of(
            "rank %s closed its communicator while operations were under way, which did not "
                + "end within %s s%s",
            rank, seconds, seen == null ? "" : "; it waited for rank " + seen.blames()),
        null);
  }

  /** Returns what is under way and what every connection has done, in lines. */
  @AnyThread
  String describe() {
    StringBuilder text = new StringBuilder();
    for (Executor executor : executors) {
      text.append(executor.report().describe());
    }
    SendHelp help = sendHelp;
    if (help != null) {
      text.append("  helpers have sent: ").append(help.moves()).append('\n');
    }
    return text.append(connectors).toString();
  }
}
