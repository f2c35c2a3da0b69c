// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.spi.Collective;
import io.nitinol.toolkit.thread.AnyThread;

/** Chooses how operations are done, the same on all ranks for the same arguments. */
@AnyThread
@FunctionalInterface
public interface Chooser {

  /**
   * Chooses for one operation. Allocates nothing after the first time.
   *
   * @param bytes what NCCL's tuner calls the size: of the larger buffer of a rank, in bytes
   * @param inNetwork whether a collective network, if there is one, can reduce this
   */
  Choice choose(Collective collective, long bytes, boolean inNetwork);

  /**
   * Returns what to do instead where the ranks have allocated buffers that all of them see.
   *
   * @param choice what {@link #choose} returned
   * @param bytes as for {@link #choose}
   */
  default Choice inPlace(Choice choice, Collective collective, long bytes) {
    return choice;
  }
}
