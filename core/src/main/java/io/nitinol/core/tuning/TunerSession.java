// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.CommException;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.tuner.v1.CommShape;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.spi.tuner.v1.Tuner;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * A tuner at work for one communicator. A tuner that throws fails the communicator: the other ranks
 * have the answer of theirs, and would wait for this one.
 */
public final class TunerSession implements AutoCloseable {
  private final Tuner tuner;
  private final int rank;
  private final DebugLogger logger;
  private final CostTable table = new CostTable();
  private Tuner.@Nullable Context context;

  private TunerSession(Tuner tuner, int rank, Tuner.Context context, DebugLogger logger) {
    this.tuner = tuner;
    this.rank = rank;
    this.context = context;
    this.logger = logger;
  }

  /** Begins with a communicator; null, and a warning, where the tuner does not want to. */
  public static @Nullable TunerSession begin(
      Tuner tuner, int rank, CommShape shape, DebugLogger logger) {
    try {
      Tuner.Context context = tuner.init(shape, logger);
      logger.info(LogSubsystem.TUNING, "tuning", "using tuner " + tuner.name());
      return new TunerSession(tuner, rank, context, logger);
    } catch (RuntimeException | Error e) {
      logger.warn("tuning", "tuner " + tuner.name() + " cannot be used: " + e);
      return null;
    }
  }

  CostTable table() {
    return table;
  }

  /**
   * Lets the tuner change {@link #table}. By one thread at a time.
   *
   * @throws CommException INTERNAL_ERROR of this rank when the tuner throws
   */
  void tune(Collective collective, long bytes) {
    Tuner.Context known = context;
    if (known == null) {
      return;
    }
    try {
      tuner.tune(known, collective, bytes, 1, table);
    } catch (RuntimeException | Error e) {
      throw new CommException(
          ResultCode.INTERNAL_ERROR,
          rank,
          ErrorText.of(
              "tuner %s of rank %s failed at %s of %s bytes: %s",
              tuner.name(), rank, collective.label(), bytes, e),
          e);
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
    } catch (RuntimeException | Error e) {
      logger.warn("tuning", "tuner " + tuner.name() + " failed to end: " + e);
    }
  }
}
