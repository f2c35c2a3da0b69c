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
    return work;
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

  /** Fails the communicator because nothing has moved for {@code seconds}. */
  void stall(long seconds) {
    for (int i = 0; i < executors.length; i++) {
      int waitsFor = executors[i].waitsFor();
      if (waitsFor >= 0) {
        failures.fail(
            new CommException(
                ResultCode.TIMEOUT,
                waitsFor,
                "nothing has moved for "
                    + seconds
                    + " s: channel "
                    + i
                    + " waits for "
                    + executors[i].describeWait()
                    + "; has that rank called the operation? NITINOL_TIMEOUT sets the limit",
                null));
        return;
      }
    }
  }
}
