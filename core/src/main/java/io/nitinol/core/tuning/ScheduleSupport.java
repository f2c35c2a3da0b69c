// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.spi.Collective;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;

/** Tells for which choices there are schedules; the same on all ranks. */
@FunctionalInterface
public interface ScheduleSupport {

  /** Returns whether there are schedules for this. */
  boolean offers(Collective collective, Algorithm algorithm, Protocol protocol);
}
