// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * All ranks of a communicator that lives in one process. A thread that serves several of them gets
 * an error where it would wait for itself.
 */
public final class LocalRanks {
  /** How long a rank without any call yet may leave another one without room. */
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
   *     operation is missing on a rank that this thread serves, or that no thread serves
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
      if (served && engine.view().submitted() < oldest) {
        throw new CommException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "a communicator takes %s operations before one must be done; operation %s has "
                    + "not been called for rank %s of this process%s. Call each operation for all "
                    + "ranks before the next, or use a thread per rank. Nothing was submitted; the "
                    + "communicator works on",
                OperationRing.CAPACITY,
                oldest,
                engine.failures().rank(),
                by == 0 ? ", which nobody has used yet" : ", which this thread serves too"));
      }
    }
  }
}
