// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.collnet;

import java.util.concurrent.locks.LockSupport;

/** The idle strategy of a loop while nothing moves: it spins, then yields, then parks. */
final class Idle {
  private static final int SPINS = 200;
  private static final int YIELDS = 1000;
  private static final long PARK_NANOS = 20_000;

  private int idle;

  /** Waits a moment unless something has moved. */
  void step(boolean moved) {
    if (moved) {
      idle = 0;
    } else if (idle < SPINS) {
      idle++;
      Thread.onSpinWait();
    } else if (idle < YIELDS) {
      idle++;
      Thread.yield();
    } else {
      LockSupport.parkNanos(PARK_NANOS);
    }
  }
}
