// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.progress.task.Task;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds out that this rank waits in shared memory for one that has closed its communicator, long
 * before its time is over: a network's connections end with the rank, but memory stays as it is.
 *
 * <p>What a rank has done in shared memory can be seen before its goodbye comes. So a wait that is
 * looked at once more after the goodbye, and still lacks something, lacks it for ever. This holds
 * where the driving thread runs the steps. A kernel thread may be late to look, and the ranks wait
 * for their whole time then.
 */
final class LeaverCheck {
  /** How long nothing has to have moved before each question, since that takes a lock. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final int rank;
  private final @Nullable Executor executor;
  private volatile IntPredicate hasLeft = peer -> false;

  // For the driving thread only: how long nothing has to have moved before the next question, and
  // the rank that had left by the last one, or NOBODY.
  private long patience = LOOK_NANOS;
  private int leaver = Task.NOBODY;

  /**
   * Creates a check.
   *
   * @param executor runs the steps of rank {@code rank} on the driving thread; null where kernel
   *     threads do
   */
  LeaverCheck(int rank, @Nullable Executor executor) {
    this.rank = rank;
    this.executor = executor;
  }

  /** Sets how to learn that a rank has closed; must not wait. */
  @AnyThread
  void ask(IntPredicate way) {
    hasLeft = way;
  }

  /** Takes note that something has moved. */
  @OnlyThread("driving thread")
  void moved() {
    patience = LOOK_NANOS;
    leaver = Task.NOBODY;
  }

  /**
   * Takes note that nothing has moved for {@code nanos}, as the driving thread has just seen.
   *
   * @return what to report of a rank that has left; null where none is waited for, or the steps
   *     have to be tried once more
   */
  @OnlyThread("driving thread")
  @Nullable FailureReport quiet(long nanos) {
    Executor steps = executor;
    if (steps == null || nanos < patience) {
      return null;
    }
    patience = nanos + LOOK_NANOS;
    Task task = steps.report().waitingInMemory(hasLeft);
    int before = leaver;
    leaver = task == null ? Task.NOBODY : task.waitsFor();
    if (task == null || leaver == Task.NOBODY || leaver != before) {
      return null;
    }
    return new FailureReport(
        rank,
        ResultCode.REMOTE_ERROR,
        leaver,
        ErrorText.of(
            "rank %s has closed its communicator, and rank %s waits for %s",
            leaver, rank, steps.report().describeWait(task)));
  }
}
