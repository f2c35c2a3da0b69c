// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * All ranks of a group that lives in one process, so that a thread that serves several of them gets
 * an error where it would wait for itself.
 */
public final class LocalRanks {
  /** How long a rank that nobody has used yet may leave another one without room. */
  private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** How often a thread that waits for room looks whether it waits for itself. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final List<Engine> engines;
  private final long unusedNanos;

  LocalRanks(List<Engine> engines, long unusedNanos) {
    this.engines = engines;
    this.unusedNanos = unusedNanos;
  }

  /** Makes the engines of a group, by rank, know each other. */
  public static void join(List<Engine> engines) {
    LocalRanks ranks = new LocalRanks(List.copyOf(engines), UNUSED_NANOS);
    engines.forEach(engine -> engine.join(ranks));
  }

  /**
   * Waits until operation {@code oldest} of {@code engine} is done.
   *
   * @throws CommException when the calling thread would have to end that wait itself, since the
   *     operation is missing on a rank that this thread serves, or that nobody does
   */
  void awaitRoom(Engine engine, long oldest) {
    long begin = System.nanoTime();
    do {
      check(oldest, System.nanoTime() - begin);
    } while (!engine.await(oldest, LOOK_NANOS));
  }

  private void check(long oldest, long waited) {
    long self = Thread.currentThread().threadId();
    for (Engine engine : engines) {
      long by = engine.lastSubmitter();
      boolean served = by == self || (by == 0 && waited >= unusedNanos);
      if (served && engine.submitted() < oldest) {
        throw new CommException(
            ResultCode.INVALID_USAGE,
            "a communicator takes "
                + OperationRing.CAPACITY
                + " operations before one must be done; operation "
                + oldest
                + " has not been called for rank "
                + engine.failures().rank()
                + " of this process"
                + (by == 0 ? ", which nobody has used yet" : ", which this thread serves too")
                + ". Call each operation for all ranks before the next, or use a thread per rank."
                + " Nothing was submitted; the communicator works on");
      }
    }
  }
}
