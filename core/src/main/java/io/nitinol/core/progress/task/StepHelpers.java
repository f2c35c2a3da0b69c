// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this process that take a part of large steps, whichever communicator those are of.
 * They belong to the process and never end; one that has nothing to do looks for a short while and
 * then sleeps until a step wakes it.
 *
 * <p>A thread that runs a step offers it to helpers that are free, works on it itself, takes back
 * what no helper has begun, and returns once those that have are done. So no helper touches a
 * caller's buffer outside of the step, and a step never waits for a thread that was not there.
 * Other {@link HelperWork} goes on without the thread that has offered it.
 */
@AnyThread
public final class StepHelpers {
  /** How many helpers one step has at most: more take little time off memory's. */
  public static final int MOST_PER_STEP = 3;

  private static final StepHelpers PROCESS = new StepHelpers();

  private final Consumer<StepHelper> starter;
  private volatile StepHelper[] helpers = {};

  /** The memory of a thread that could not be started, for the next try. */
  private @Nullable MemorySegment spare; // guarded by this

  private boolean warned; // guarded by this

  /** Creates a set without threads; a process has one, tests make their own. */
  StepHelpers() {
    this(StepHelper::start);
  }

  /** Creates a set whose threads {@code starter} starts; it may throw an OutOfMemoryError. */
  StepHelpers(Consumer<StepHelper> starter) {
    this.starter = starter;
  }

  /** Returns those of this process. */
  public static StepHelpers process() {
    return PROCESS;
  }

  /**
   * Returns how many helpers each rank may have, none of which takes another rank's processor.
   *
   * @param processors how many processors this process may use
   * @param ranks how many ranks of this host share them
   */
  public static int perRank(int processors, int ranks) {
    return Math.clamp(processors / Math.max(1, ranks) - 1, 0, MOST_PER_STEP);
  }

  /**
   * Makes sure that there are {@code count} threads, as far as the system lets this process have
   * them: steps are done without, only later. There are never fewer afterwards.
   *
   * @param logger is told, the first time, that there cannot be as many
   * @return how many there are, which may be more
   */
  public synchronized int require(int count, DebugLogger logger) {
    int have = helpers.length;
    StepHelper[] more = Arrays.copyOf(helpers, Math.max(have, count));
    try {
      while (have < count) {
        MemorySegment scratch =
            spare == null ? Arena.global().allocate(Fold.BLOCK_BYTES, 4096) : spare;
        spare = scratch;
        StepHelper helper = new StepHelper(have, scratch);
        starter.accept(helper);
        spare = null;
        more[have++] = helper;
      }
    } catch (OutOfMemoryError e) {
      warn(have, count, e, logger);
    }
    helpers = Arrays.copyOf(more, have);
    return have;
  }

  private void warn(int have, int count, OutOfMemoryError e, DebugLogger logger) {
    if (!warned) {
      warned = true;
      logger.warn(
          "StepHelpers",
          ErrorText.of(
              "cannot start helper thread %d of %d: %s; large steps go on with %d and take longer;"
                  + " raise the number of threads that the process may have (ulimit -u, pids.max),"
                  + " or ask for fewer by NITINOL_HELPER_THREADS",
              have + 1, count, e.getMessage(), have));
    }
  }

  /** Returns how many threads there are. */
  public int count() {
    return helpers.length;
  }

  /**
   * Offers work to one helper that is free.
   *
   * @return whether one takes it, which may begin at any time from now on
   */
  public boolean offer(HelperWork work) {
    for (StepHelper helper : helpers) {
      if (helper.offer(work)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Runs a step: {@link SharedStep#begin} was called, and all blocks are done when this returns.
   *
   * @param most how many helpers it may have
   * @throws RuntimeException what a block has thrown, here or in a helper
   */
  void run(SharedStep step, int most) {
    StepHelper[] all = helpers;
    int taken = 0;
    for (int i = 0; i < all.length && taken < most; i++) {
      if (all[i].offer(step)) {
        taken++;
      }
    }
    try {
      step.work(step.scratch());
    } finally {
      for (int i = 0; i < all.length; i++) {
        all[i].takeBack(step);
      }
    }
    step.rethrow();
  }
}
