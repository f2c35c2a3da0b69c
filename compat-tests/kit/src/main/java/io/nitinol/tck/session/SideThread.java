// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.tck.check.RuleViolation;
import io.nitinol.toolkit.ErrorText;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Work on a thread beside the test's own, whose failure becomes the test's. */
public final class SideThread {
  private final Thread thread;
  private volatile @Nullable Throwable failure;

  private SideThread(String name, Runnable work) {
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("tck-" + name)
            .unstarted(() -> {
              try {
                work.run();
              } catch (Throwable e) {
                failure = e;
              }
            });
  }

  /**
   * Starts a daemon thread.
   *
   * @param name what it does, for traces
   */
  public static SideThread start(String name, Runnable work) {
    SideThread beside = new SideThread(name, work);
    beside.thread.start();
    return beside;
  }

  /** Throws what the work has thrown so far. */
  public void check() {
    Throwable thrown = failure;
    switch (thrown) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(thrown);
    }
  }

  /** Returns whether the work has ended. */
  public boolean isDone() {
    return !thread.isAlive();
  }

  /**
   * Waits for the work to end and throws what it threw.
   *
   * @throws RuleViolation of NET-TEST-05 when it has not ended in time: see the trace for the call
   */
  public void join(long nanos) {
    join("NET-TEST-05", nanos);
  }

  /** The same, where another rule is broken if it has not ended in time. */
  public void join(String rule, long nanos) {
    try {
      if (!thread.join(java.time.Duration.ofNanos(nanos))) {
        throw new RuleViolation(
            rule,
            ErrorText.of(
                "%s has not ended after %s ms",
                thread.getName(), TimeUnit.NANOSECONDS.toMillis(nanos)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the test was interrupted", e);
    }
    check();
  }
}
