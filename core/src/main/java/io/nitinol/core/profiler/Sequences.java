// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import io.nitinol.spi.Collective;
import java.util.concurrent.atomic.AtomicLongArray;

/** How many of each collective a communicator has submitted. */
final class Sequences {
  private final AtomicLongArray submitted = new AtomicLongArray(Collective.values().length);

  /** Counts one; returns how many there were before. */
  long next(Collective function) {
    return submitted.getAndIncrement(function.ordinal());
  }
}
