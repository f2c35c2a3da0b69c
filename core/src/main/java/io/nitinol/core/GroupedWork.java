// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.progress.Engine;
import io.nitinol.spi.ResultCode;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An operation that was called in a group, and is submitted at the group's end. */
final class GroupedWork extends Work {
  private final String call;

  /** What was submitted at the end of the group; null before, and where nothing was. */
  private volatile @Nullable Work submitted;

  private volatile boolean dropped;

  /** The profiler's event of the call; only for the thread whose group it is. */
  private long event;

  GroupedWork(Engine engine, String call) {
    super(engine, 0);
    this.call = call;
  }

  /** Says as which event a profiler knows the call; 0 for none. */
  void calledAs(long known) {
    event = known;
  }

  long event() {
    return event;
  }

  /** Says what this has become, maybe together with others. */
  void submittedAs(Work work) {
    submitted = work;
  }

  /** Says that this will never be done. */
  void drop() {
    dropped = true;
  }

  private Work submitted() {
    Work work = submitted;
    if (work == null) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          call
              + (dropped
                  ? ": its group was not submitted, so it will never be done"
                  : ": its group has not ended; end it before asking for what was called in it"));
    }
    return work;
  }

  @Override
  public boolean isDone() {
    return submitted().isDone();
  }

  @Override
  public void await() {
    submitted().await();
  }

  @Override
  public boolean await(Duration limit) {
    return submitted().await(limit);
  }

  @Override
  public CompletionStage<Void> completion() {
    return submitted().completion();
  }
}
