// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.progress.Engine;
import java.time.Duration;

/**
 * An operation under way. It is done when this rank's output is complete and its input may be
 * written again; other ranks may be later. Operations of a communicator are done in the order in
 * which they were submitted. Safe for any thread.
 *
 * <p>When a method throws, the communicator has failed or is closed. The operation's buffers may
 * still be in use then, until {@link Communicator#close} has returned.
 *
 * <p>The object is all that a call allocates, 24 bytes; where a caller waits at once the JIT
 * usually removes even that.
 */
public final class Work {
  private final Engine engine;
  private final long sequence;

  Work(Engine engine, long sequence) {
    this.engine = engine;
    this.sequence = sequence;
  }

  /**
   * Returns whether the operation is done. Never waits.
   *
   * @throws CommException when the communicator has failed or is closed and the operation will not
   *     be done
   */
  public boolean isDone() {
    if (engine.isDone(sequence)) {
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
    if (!engine.await(sequence, 0)) {
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
    return limit.isPositive() ? engine.await(sequence, saturatedNanos(limit)) : isDone();
  }

  private static long saturatedNanos(Duration limit) {
    try {
      return Math.min(limit.toNanos(), Long.MAX_VALUE / 2);
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE / 2;
    }
  }
}
