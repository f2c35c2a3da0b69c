// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.spi.tuner.v1.Tuner;
import org.jspecify.annotations.Nullable;

/**
 * A tuner at work for one communicator. One that throws is not asked again: the communicator goes
 * on with the framework's own costs, and ranks that differ then are found by their messages.
 */
public final class TunerSession implements AutoCloseable {
  private final Tuner tuner;
  private final DebugLogger logger;
  private final CostTable table = new CostTable();
  private Tuner.@Nullable Context context;

  private TunerSession(Tuner tuner, Tuner.Context context, DebugLogger logger) {
    this.tuner = tuner;
    this.context = context;
    this.logger = logger;
  }

  /** Begins with a communicator; null, and a warning, where the tuner does not want to. */
  public static @Nullable TunerSession begin(
      Tuner tuner, int ranks, int nodes, DebugLogger logger) {
    try {
      Tuner.Context context = tuner.init(ranks, nodes, logger);
      logger.info(LogSubsystem.TUNING, "tuning", "using tuner " + tuner.name());
      return new TunerSession(tuner, context, logger);
    } catch (RuntimeException | LinkageError e) {
      logger.warn("tuning", "tuner " + tuner.name() + " cannot be used: " + e);
      return null;
    }
  }

  CostTable table() {
    return table;
  }

  /** Lets the tuner change {@link #table}. By one thread at a time. */
  void tune(Collective collective, long bytes) {
    Tuner.Context known = context;
    if (known == null) {
      return;
    }
    try {
      tuner.tune(known, collective, bytes, 1, table);
    } catch (RuntimeException | LinkageError e) {
      context = null;
      logger.warn(
          "tuning",
          "tuner "
              + tuner.name()
              + " failed at "
              + collective.label()
              + " of "
              + bytes
              + " bytes and is not asked again: "
              + e);
      close(known);
    }
  }

  /** Ends. Safe to be called while no operation is being chosen for. */
  @Override
  public synchronized void close() {
    Tuner.Context known = context;
    context = null;
    if (known != null) {
      close(known);
    }
  }

  private void close(Tuner.Context known) {
    try {
      tuner.destroy(known);
    } catch (RuntimeException | LinkageError e) {
      logger.warn("tuning", "tuner " + tuner.name() + " failed to end: " + e);
    }
  }
}
