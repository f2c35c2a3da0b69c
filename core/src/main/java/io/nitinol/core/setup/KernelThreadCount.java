// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.progress.task.StepHelpers;
import io.nitinol.spi.config.Settings;
import java.util.concurrent.atomic.AtomicInteger;

/** How many threads run reductions and copies, as the variables say. */
final class KernelThreadCount {
  /** NCCL's smallest block, from which on a number of threads is one of a GPU's. */
  private static final int GPU_BLOCK = 64;

  /** The most ranks of a host that any communicator of this process has had. */
  private static final AtomicInteger MOST_RANKS = new AtomicInteger();

  private KernelThreadCount() {}

  /**
   * Returns how many threads of the process may help a rank with a large step.
   *
   * @param processors how many processors this process may use
   * @param ranks how many ranks of this communicator this host has. A communicator with fewer than
   *     one before it may be a part of that, whose other ranks are at work, too
   */
  static int helpers(Settings settings, int processors, int ranks) {
    int most = MOST_RANKS.accumulateAndGet(ranks, Math::max);
    int asked = settings.get(CoreVariables.HELPER_THREADS);
    if (asked >= 0) {
      return asked;
    }
    return of(settings) > 0 ? 0 : StepHelpers.perRank(processors, most);
  }

  /**
   * Returns whether one of a rank's helpers may send. Between steps it looks for messages all the
   * time, and what it has begun waits for it, so a processor must be free whatever else the host
   * does: eight ranks and eight such threads on 16 processors took 30 times as long as without.
   *
   * @param helpers how many a rank has
   * @param nativePlugin whether the network is a library made for NCCL, which calls it on one
   *     thread only, so that it may not stand two
   */
  static boolean helpersSend(Settings settings, int helpers, boolean nativePlugin) {
    return settings.get(CoreVariables.HELPER_THREADS) >= 0
        ? helpers > 0
        : helpers == StepHelpers.MOST_PER_STEP && !nativePlugin;
  }

  /** Returns the number of a communicator's own; 0 leaves the work to the driving thread. */
  static int of(Settings settings) {
    int block = settings.get(CoreVariables.NTHREADS);
    return settings.isSet(CoreVariables.KERNEL_THREADS) || block >= GPU_BLOCK
        ? settings.get(CoreVariables.KERNEL_THREADS)
        : block;
  }
}
