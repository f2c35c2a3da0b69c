// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * How many times slower than the machine that the limits are made for this one is: an emulated
 * processor must not be taken for a rank that hangs.
 *
 * @param factor what all limits are multiplied by, 1 or more
 */
record ChaosPace(double factor) {
  /** Of a machine that the limits are made for. */
  static final ChaosPace USUAL = new ChaosPace(1);

  private static final int LONGEST_SECONDS = 1800;

  /**
   * Compares two machines.
   *
   * @param here what {@link #measure} took on this machine
   * @param there what it took on one that the limits are made for
   */
  static ChaosPace of(long here, long there) {
    return new ChaosPace(Math.max(1, (double) here / Math.max(1, there)));
  }

  /** Returns the milliseconds in which a worker starts and has done its warm-up. */
  static long measure(Path directory) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    try (WorkerProcess worker =
        WorkerProcess.start(
            UnaryOperator.identity(),
            RoundCarrier.TCP.variables(USUAL),
            List.of(),
            directory.resolve("pace.log"))) {
      worker.awaitReady(LONGEST_SECONDS);
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  /** Returns how many seconds here are {@code usual} ones. */
  int seconds(int usual) {
    return (int) Math.ceil(usual * factor);
  }
}
