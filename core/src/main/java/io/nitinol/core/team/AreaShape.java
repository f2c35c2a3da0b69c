// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import io.nitinol.spi.tuner.Protocol;
import io.nitinol.toolkit.ErrorText;

/**
 * What one area of a team looks like.
 *
 * @param protocol LL, whose slots tell by themselves that they are posted, or SIMPLE
 * @param slotBytes how many bytes of data a slot holds; more than 0
 * @param depth how many rounds can be under way at once; a power of two
 */
public record AreaShape(Protocol protocol, int slotBytes, int depth) {
  /** Checks the numbers. */
  public AreaShape {
    if (protocol == Protocol.LL128) {
      throw new IllegalArgumentException("no team has areas of protocol LL128");
    }
    if (slotBytes <= 0 || depth <= 0 || Integer.bitCount(depth) != 1) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "an area of %s slots of %s bytes: expected a power of two of slots, of more than "
                  + "0 bytes",
              depth, slotBytes));
    }
  }

  /** Returns where in a slot its data begins. */
  long front() {
    return protocol == Protocol.LL ? TeamLayout.LL_FRONT : TeamLayout.LINE;
  }

  /** Returns how far apart slots are; one line more than a page would have them all in one set. */
  long stride() {
    long lines = Math.ceilDiv(front() + slotBytes, TeamLayout.LINE);
    return (lines % 64 == 0 ? lines + 1 : lines) * TeamLayout.LINE;
  }

  /** Returns how many bytes of a member's part the area takes. */
  long bytes() {
    return TeamLayout.COUNTERS + depth * stride();
  }
}
