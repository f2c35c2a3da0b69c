// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.config.Settings;

/** How many threads of a communicator run reductions and copies, as the variables say. */
final class KernelThreadCount {
  /** NCCL's smallest block, from which on a number of threads is one of a GPU's. */
  private static final int GPU_BLOCK = 64;

  private KernelThreadCount() {}

  /** Returns the number; 0 leaves the work to the driving thread. */
  static int of(Settings settings) {
    int block = settings.get(CoreVariables.NTHREADS);
    return settings.isSet(CoreVariables.KERNEL_THREADS) || block >= GPU_BLOCK
        ? settings.get(CoreVariables.KERNEL_THREADS)
        : block;
  }
}
