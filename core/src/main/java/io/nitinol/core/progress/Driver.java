// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The right to move things: the thread that has it drives all connections of a communicator, and
 * the executors too unless kernel threads do. A thread that waits for a result takes the right when
 * it is free, because handing work to another thread costs more than doing it where processors are
 * few.
 */
final class Driver {
  private static final int FREE = 0;
  private static final int TAKEN = 1;
  private static final int CLOSED = 2;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Driver.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Channel[] channels;
  private final Executor[] executors;
  private final boolean runsExecutors;
  private final Failures failures;

  @SuppressWarnings("UnusedVariable") // by STATE
  private int state;

  /** Who took the right last. For messages, so plain. */
  private @Nullable Thread holder;

  // For who drives only, whoever that is: when nothing began to move, or 0, and what was done then.
  private long quietSince;
  private long quietAt;

  Driver(Channel[] channels, Executor[] executors, boolean runsExecutors, Failures failures) {
    this.channels = channels;
    this.executors = executors;
    this.runsExecutors = runsExecutors;
    this.failures = failures;
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

  /** Returns the name of the thread that has the right, or had it last. */
  String holder() {
    Thread thread = holder;
    return thread == null ? "unknown" : thread.getName();
  }

  /** Gives the right back. */
  void release() {
    STATE.setRelease(this, FREE);
  }

  /** Takes the right for good, if it is free; true also when that has happened before. */
  boolean tryClose() {
    int was = (int) STATE.compareAndExchange(this, FREE, CLOSED);
    return was != TAKEN;
  }

  /** Moves everything once. Only with the right to. Returns how many things happened. */
  int pass() {
    if (failures.isStopped()) {
      failures.settle();
      return 0;
    }
    int work = 0;
    for (int i = 0; i < channels.length; i++) {
      work += channels[i].pass(runsExecutors ? executors[i] : null, failures);
    }
    if (work > 0) {
      quietSince = 0;
    }
    return work;
  }

  /**
   * Notes that nothing moves, and fails the communicator when that has been so for too long. Only
   * with the right to move things.
   *
   * @param nanos how long is too long; 0 for never
   */
  void quiet(long now, long nanos) {
    long done = 0;
    for (Executor executor : executors) {
      done += executor.completed(); // by kernel threads, which do not come by here
    }
    if (quietSince == 0 || done != quietAt) {
      quietSince = now;
      quietAt = done;
    } else if (nanos > 0 && now - quietSince > nanos && !failures.isStopped()) {
      Claim seen = waiting();
      if (seen != null) {
        failures.claim(seen);
      }
    }
  }

  /** Returns whether operation {@code sequence} is done on all channels. Any thread. */
  boolean isDone(long sequence) {
    for (Executor executor : executors) {
      if (executor.completed() < sequence) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the network has taken everything it was given. Any thread. */
  boolean isDrained() {
    for (Channel channel : channels) {
      if (!channel.isDrained()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns what this rank waits for, or null where it does not. Any thread; approximate for those
   * that do not drive.
   */
  @Nullable Claim waiting() {
    int rank = failures.rank();
    for (int i = 0; i < executors.length; i++) {
      int waitsFor = executors[i].waitsFor();
      if (waitsFor >= 0) {
        String what = "waits on channel " + i + " for " + executors[i].describeWait();
        return new Claim(rank, ResultCode.TIMEOUT, waitsFor, stalled(what));
      }
    }
    for (int i = 0; i < channels.length; i++) {
      if (!channels[i].isDrained()) {
        return new Claim(rank, ResultCode.TIMEOUT, channels[i].next(), stalled(undrained(i)));
      }
    }
    return null;
  }

  private String stalled(String what) {
    return "nothing has moved for as long as NITINOL_TIMEOUT allows: rank "
        + failures.rank()
        + " "
        + what;
  }

  private String undrained(int channel) {
    return "has done its operations, but rank "
        + channels[channel].next()
        + " does not take its last messages on channel "
        + channel;
  }

  /** Returns the failure of a rank that closes although something is pending still. */
  CommException unfinished(boolean done, long seconds) {
    int rank = failures.rank();
    for (int i = 0; done && i < channels.length; i++) {
      if (!channels[i].isDrained()) {
        return new CommException(
            ResultCode.TIMEOUT,
            channels[i].next(),
            "rank " + rank + " closes: it " + undrained(i) + ", not within " + seconds + " s",
            null);
      }
    }
    Claim seen = waiting();
    return new CommException(
        ResultCode.INVALID_USAGE,
        rank,
        "rank "
            + rank
            + " closed its communicator while operations were under way, which did not end within "
            + seconds
            + " s"
            + (seen == null ? "" : "; it waited for rank " + seen.blames()),
        null);
  }
}
