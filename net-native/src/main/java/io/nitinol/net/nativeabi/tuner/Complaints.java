// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.tuner;

import io.nitinol.spi.DebugLogger;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The warnings about what a tuner does wrong: each kind once for a communicator, since what it does
 * once it does before every operation.
 */
final class Complaints {
  /** What may be wrong. */
  enum Kind {
    DAMAGE,
    FAILURE,
    CHANNELS,
    NOT_POSSIBLE,
    NO_COST,
    NOTHING_LEFT
  }

  private final String tuner;
  private final DebugLogger logger;
  private final Set<Kind> told = EnumSet.noneOf(Kind.class);

  Complaints(String tuner, DebugLogger logger) {
    this.tuner = tuner;
    this.logger = logger;
  }

  /** Tells, the first time. */
  void tell(Kind kind, Supplier<@Nullable String> what) {
    if (told.add(kind)) {
      logger.warn("tuning", "TUNER/" + tuner + ": " + what.get() + " (said once)");
    }
  }
}
