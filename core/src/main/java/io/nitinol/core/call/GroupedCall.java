// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.Engine;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;

/** Tells which operation a call in a group has become, once the group's end has submitted it. */
@AnyThread
public final class GroupedCall implements SubmittedLater {
  private final Engine engine;
  private final String call;

  /** The profiler's event of the call, 0 for none; only for the thread whose group it is. */
  private final long event;

  /** The number of the operation, from 1; 0 before it is submitted. */
  private volatile long sequence;

  private volatile boolean dropped;

  GroupedCall(Engine engine, String call, long event) {
    this.engine = engine;
    this.call = call;
    this.event = event;
  }

  @Override
  public Engine engine() {
    return engine;
  }

  long event() {
    return event;
  }

  /** Takes note of the operation that this has become, maybe together with other calls. */
  void submittedAs(long operation) {
    sequence = operation;
  }

  /** Takes note that this will never be done, unless it was submitted. */
  void drop() {
    dropped = true;
  }

  @Override
  public long sequence() {
    long known = sequence;
    if (known == 0) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              dropped
                  ? "%s: its group was not submitted, so it will never be done"
                  : "%s: its group has not ended; end it before asking for what was called in it",
              call));
    }
    return known;
  }
}
