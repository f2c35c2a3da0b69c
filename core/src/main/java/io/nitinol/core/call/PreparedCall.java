// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.Engine;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A call whose arguments were checked when it was made, and which is submitted at each start: at
 * most one operation at a time. A start allocates nothing where no profiler listens.
 */
@AnyThread
public final class PreparedCall implements SubmittedLater {
  private static final VarHandle STARTER;

  static {
    try {
      STARTER = MethodHandles.lookup().findVarHandle(PreparedCall.class, "starter", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Engine engine;
  private final String call;

  /** Submits the operation; null once this is closed, so that its buffers are let go. */
  private volatile @Nullable LongSupplier submission;

  /** The number of the last operation, from 1; 0 before the first. */
  private volatile long sequence;

  /** The thread that is within {@link #start}, or null; set by STARTER. */
  private volatile @Nullable Thread starter;

  PreparedCall(Engine engine, String call, LongSupplier submission) {
    this.engine = engine;
    this.call = call;
    this.submission = submission;
  }

  /** Returns the name of the call, for messages. */
  public String call() {
    return call;
  }

  /**
   * Submits the next operation.
   *
   * @throws CommException INVALID_USAGE where the last one is not done, another thread is starting
   *     one, or this or the communicator is closed; INVALID_ARGUMENT where a buffer was freed; else
   *     as the call itself
   */
  public void start() {
    if (!STARTER.compareAndSet(this, (Thread) null, Thread.currentThread())) {
      throw wrongUse(
          ErrorText.of(
              "%s: two threads start the same persistent call at once; expected one start at a time",
              call));
    }
    try {
      LongSupplier known = submission; // read after starter is set: see close()
      if (known == null) {
        throw wrongUse(
            ErrorText.of(
                "%s: the persistent call is closed; make another one to start it again", call));
      }
      long last = sequence;
      if (last > 0 && !engine.isDone(last)) {
        engine.check();
        throw wrongUse(
            ErrorText.of(
                "%s: the persistent call is started again before its last operation is done; wait for"
                    + " the work of the last start first",
                call));
      }
      sequence = known.getAsLong();
    } finally {
      STARTER.setRelease(this, (Thread) null);
    }
  }

  /**
   * Refuses further starts, and lets go of the buffers. An operation under way goes on. Waits while
   * another thread is within a start, which submits the buffers or fails before this returns.
   */
  public void close() {
    submission = null;
    Thread other = starter;
    // A start that sets starter after this read finds no submission. The starter itself may close,
    // by what a submission calls.
    while (other != null && !other.equals(Thread.currentThread())) {
      Thread.yield();
      other = starter;
    }
  }

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public long sequence() {
    long known = sequence;
    if (known == 0) {
      throw wrongUse(
          ErrorText.of(
              "%s: the persistent call has not been started; start it before asking for it", call));
    }
    return known;
  }

  private static CommException wrongUse(String text) {
    return new CommException(ResultCode.INVALID_USAGE, text);
  }
}
