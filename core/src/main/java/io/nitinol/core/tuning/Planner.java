// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.core.schedule.Schedule;
import io.nitinol.spi.Collective;
import org.jspecify.annotations.Nullable;

/** Turns a choice into what one rank does. Asked by one thread per channel. */
@FunctionalInterface
public interface Planner {

  /**
   * Returns the schedules that this rank runs side by side on one channel. The same arguments give
   * the same array, whose schedules are planned anew for each operation; nothing is allocated after
   * the first time.
   *
   * @param channel from 0; may be beyond {@code choice.channels()}, which gives schedules without
   *     steps or none
   */
  Schedule[] schedules(Collective collective, Choice choice, int channel);

  /**
   * Returns the schedule that takes the place of the only one of {@link #schedules} where all
   * members of the team see each other's buffers; null where there is none.
   *
   * @param choice one that is {@link Choice#inPlace}
   */
  default @Nullable Schedule inPlace(Collective collective, Choice choice, int channel) {
    return null;
  }
}
