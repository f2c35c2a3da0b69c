// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import java.time.Duration;

/**
 * How long an inbound {@link ControlLink} may take before it is open.
 *
 * @param hello from the connection to the hello, which a peer sends at once
 * @param proof from the answer to the proof; not less than the other, since a peer that is slow
 *     looks the same here as a stranger. The bound on the number of strangers holds in any case
 */
public record StrangerLimits(Duration hello, Duration proof) {
  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if the proof gets less time than the hello
   */
  public StrangerLimits {
    if (proof.compareTo(hello) < 0) {
      throw new IllegalArgumentException("a proof may not take as long as a hello");
    }
  }
}
