// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.CallCompletions;
import io.nitinol.core.call.GroupCalls;
import io.nitinol.core.call.PreparedCall;
import io.nitinol.core.call.SubmittedLater;
import io.nitinol.core.progress.Engine;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.Waits;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An operation under way. It is done when this rank's output is complete and its input may be
 * written again; other ranks may be later. Operations of a communicator are done in the order in
 * which they were submitted.
 *
 * <p>What was called in a {@link Group} can be asked for only after the group's end. The work of a
 * {@link PersistentCall} stands for the operation of its last start.
 *
 * <p>When a method throws, the communicator has failed or is closed. The operation's buffers may
 * still be in use then, until {@link Communicator#close} has returned.
 *
 * <p>The object is all that a collective allocates, 24 bytes, where it was called before with the
 * same arguments, as loops do; where a caller waits at once the JIT usually removes even that. A
 * call with new arguments adds its record, 48 bytes.
 */
@AnyThread
public sealed class Work {
  /** An operation that gets its number later: at a group's end, or at a start. */
  private static final class Later extends Work {
    private final SubmittedLater call;

    Later(SubmittedLater call) {
      super(call.engine(), 0);
      this.call = call;
    }

    @Override
    long sequence() {
      return call.sequence();
    }
  }

  private final Engine engine;
  private final long sequence;

  private Work(Engine engine, long sequence) {
    this.engine = engine;
    this.sequence = sequence;
  }

  /**
   * Returns what the caller of an operation holds.
   *
   * @param number of the operation or, where there is a group, of the call in the group
   */
  static Work of(Engine engine, @Nullable GroupCalls group, long number) {
    return group == null ? new Work(engine, number) : new Later(group.call(number));
  }

  /** Returns what stands for the last operation of a call that is started often. */
  static Work of(PreparedCall call) {
    return new Later(call);
  }

  /** Returns the operation's number. */
  long sequence() {
    return sequence;
  }

  /**
   * Returns whether the operation is done. Never waits.
   *
   * @throws CommException when the communicator has failed or is closed and the operation will not
   *     be done; INVALID_USAGE also before the end of its group, or where that did not submit it
   */
  public boolean isDone() {
    return isDone(sequence());
  }

  private boolean isDone(long operation) {
    if (engine.isDone(operation)) {
      return true;
    }
    engine.check();
    return false;
  }

  /**
   * Waits until the operation is done. The calling thread does the work meanwhile, so this is the
   * fastest way to get a result. Interrupts are ignored and left for the caller to see.
   *
   * @throws CommException when the communicator fails, or is closed before the operation is done
   */
  public void await() {
    if (!engine.await(sequence(), 0)) {
      throw new IllegalStateException("an unlimited wait has ended before its operation");
    }
  }

  /**
   * Waits until the operation is done, but no longer than {@code limit}.
   *
   * @return whether it is done; if not it goes on, and can be waited for again
   * @throws CommException when the communicator fails, or is closed before the operation is done
   */
  public boolean await(Duration limit) {
    return limit.isPositive() ? engine.await(sequence(), Waits.nanos(limit)) : isDone();
  }

  /**
   * Waits as {@link #await()} does, but an interrupt ends the wait. The operation goes on: its
   * buffers are in use until it is done, and it can be waited for again. A rank that is to leave
   * the operation calls {@link Communicator#abort}. Where the operation is done already, this
   * returns and leaves an interrupt set.
   *
   * @throws InterruptedException when the calling thread is interrupted before the operation is
   *     done
   * @throws CommException when the communicator fails, or is closed before the operation is done
   */
  public void awaitInterruptibly() throws InterruptedException {
    if (!engine.awaitInterruptibly(sequence(), 0)) {
      throwIfInterrupted();
      throw new IllegalStateException("an unlimited wait has ended before its operation");
    }
  }

  /**
   * Waits as {@link #await(Duration)} does, but an interrupt ends the wait; see {@link
   * #awaitInterruptibly()}.
   *
   * @return whether it is done; if not it goes on, and can be waited for again
   * @throws InterruptedException when the calling thread is interrupted before the operation is
   *     done and before the limit
   * @throws CommException when the communicator fails, or is closed before the operation is done
   */
  public boolean awaitInterruptibly(Duration limit) throws InterruptedException {
    if (!limit.isPositive()) {
      return isDone();
    }
    boolean done = engine.awaitInterruptibly(sequence(), Waits.nanos(limit));
    if (!done) {
      throwIfInterrupted();
    }
    return done;
  }

  private static void throwIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException(
          "interrupted while waiting for an operation, which goes on and may be waited for again");
    }
  }

  /**
   * Returns a view of the operation as a stage, which is completed when the operation is done, or
   * exceptionally with the {@link CommException} that {@link #await()} would throw. What depends on
   * it runs in a virtual thread of its own and so may take its time. A stage notices the end within
   * about a millisecond: where time matters, wait instead. Each call makes a new one. Nothing that
   * a caller does with a stage reaches the operation: to cancel a future made of it cancels that
   * future alone, since the other ranks rely on this one's part.
   *
   * @throws CommException INVALID_USAGE within the group that the operation was called in
   */
  public CompletionStage<Void> completion() {
    long operation = sequence();
    return CallCompletions.of(() -> isDone(operation));
  }
}
