// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.progress.task.StepHelpers;
import io.nitinol.spi.config.Settings;

/** How many threads run reductions and copies, as the variables say. */
final class KernelThreadCount {
  /** NCCL's smallest block, from which on a number of threads is one of a GPU's. */
  private static final int GPU_BLOCK = 64;

  private KernelThreadCount() {}

  /**
   * Returns how many threads of the process may help a rank with a large step.
   *
   * @param processors how many processors this process may use
   * @param ranks how many ranks this host has
   */
  static int helpers(Settings settings, int processors, int ranks) {
    int asked = settings.get(CoreVariables.HELPER_THREADS);
    if (asked >= 0) {
      return asked;
    }
    return of(settings) > 0 ? 0 : StepHelpers.perRank(processors, ranks);
  }

  /**
   * Returns whether one of a rank's helpers may send. Between steps it looks for messages all the
   * time, and what it has begun waits for it, so a processor must be free whatever else the host
   * does: eight ranks and eight such threads on 16 processors took 30 times as long as without.
   *
   * @param helpers how many a rank has
   */
  static boolean helpersSend(Settings settings, int helpers) {
    return helpers
        >= (settings.isSet(CoreVariables.HELPER_THREADS) ? 1 : StepHelpers.MOST_PER_STEP);
  }

  /** Returns the number of a communicator's own; 0 leaves the work to the driving thread. */
  static int of(Settings settings) {
    int block = settings.get(CoreVariables.NTHREADS);
    return settings.isSet(CoreVariables.KERNEL_THREADS) || block >= GPU_BLOCK
        ? settings.get(CoreVariables.KERNEL_THREADS)
        : block;
  }
}
