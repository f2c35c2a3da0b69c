// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.toolkit.thread.Waits;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The background thread of an engine, {@code <name>-progress}: drives while something is pending
 * and no thread waits for it.
 */
final class AgentRunner implements Runnable {
  private final AgentInvoker invoker;
  private final CommFailures failures;
  private final Thread thread;
  private final Sleeper sleeper;

  /** Made once: a method reference at its place of use is a new object each time it is come to. */
  private final BooleanSupplier mustRun = this::mustRun;

  private volatile boolean ended;

  private @Nullable ProfilerSession profiler;

  /** Whether operations were lately driven by the threads that wait for them. A hint, so plain. */
  private boolean callersDrive;

  AgentRunner(String name, AgentInvoker invoker, CommFailures failures) {
    this.invoker = invoker;
    this.failures = failures;
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
    this.sleeper = new Sleeper(thread);
  }

  Thread thread() {
    return thread;
  }

  /** Reports its sleep to a profiler. Before {@link #start}. */
  void tell(ProfilerSession session) {
    profiler = session;
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    while (!ended) {
      try {
        turn();
      } catch (Throwable e) {
        // The end of this thread would only be noticed by a wait without end.
        failures.failHere(e, "its progress thread");
      }
    }
  }

  private void turn() {
    if (invoker.isPending() && invoker.driveInBackground()) {
      callersDrive = false;
      sleeper.stir();
    } else {
      if (invoker.isPending()) {
        sleeper.stir();
      }
      rest();
    }
  }

  private void rest() {
    ProfilerSession session = profiler;
    if (session == null) {
      sleeper.rest(mustRun);
      return;
    }
    long event = session.sleeps();
    try {
      sleeper.rest(mustRun);
    } finally {
      session.wakes(event);
    }
  }

  /** While callers drive there is no reason: the last of them wakes this thread. */
  private boolean mustRun() {
    return ended || invoker.isLeftAlone();
  }

  /** Wakes the thread, since an operation was submitted, unless callers drive. */
  void submitted() {
    sleeper.wake(!callersDrive);
  }

  /** Notes that a caller has driven. */
  void callerDrove() {
    if (!callersDrive) {
      callersDrive = true; // a look costs less than a write that others have to see
    }
  }

  /** Makes the thread look at once. */
  void wake() {
    sleeper.wake(true);
  }

  /** Ends the thread; returns whether it is gone. */
  boolean end(long deadline) {
    ended = true;
    return Waits.wakeAndJoin(thread, deadline);
  }
}
