// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.conformance;

import io.nitinol.spi.testing.Thorough;
import io.nitinol.tck.KitOptions;
import java.util.Set;

/**
 * The lanes on which the build runs the kit on a plugin. The other lanes are the same plugin behind
 * more or fewer adapters, which have tests of their own; {@code -Pthorough} runs all.
 */
public final class QuickLanes {
  private QuickLanes() {}

  /**
   * Narrows a run unless it is thorough or names its lanes itself.
   *
   * @param asked the options that the system properties ask for
   * @param lanes labels such as {@code net v12}
   */
  public static KitOptions of(KitOptions asked, String... lanes) {
    if (Thorough.ON || !asked.lanes().isEmpty()) {
      return asked;
    }
    System.err.printf(
        "the kit runs on %s only: further lanes run with -Pthorough%n", String.join(", ", lanes));
    return asked.onLanes(Set.of(lanes));
  }
}
