// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.tuner;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.spi.tuner.v1.Tuner;

/**
 * A native tuner whose struct cannot be used. It is there to be told of where tuners are, and is
 * never begun with.
 */
final class BrokenTuner implements Tuner {
  private final String name;
  private final String reason;

  BrokenTuner(String name, String reason) {
    this.name = name;
    this.reason = reason;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String unavailable() {
    return reason;
  }

  @Override
  public Context init(int ranks, int nodes, DebugLogger logger) {
    throw new IllegalStateException(reason);
  }

  @Override
  public void tune(
      Context context, Collective collective, long bytes, int operations, CostTable table) {
    throw new IllegalStateException(reason);
  }

  @Override
  public void destroy(Context context) {
    throw new IllegalStateException(reason);
  }
}
