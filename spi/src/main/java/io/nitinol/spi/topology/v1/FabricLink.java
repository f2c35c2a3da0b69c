// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.topology.v1;

import java.util.Objects;

/**
 * The links of a device that lead to one place.
 *
 * @param peer the address on the PCI bus of what they lead to: another device, a switch of such
 *     links, a processor; as the driver tells it, also one that this machine does not show, which
 *     counts as a switch
 * @param count how many active links lead there, at least 1
 */
public record FabricLink(String peer, int count) {

  /**
   * Checks the count.
   *
   * @throws IllegalArgumentException when it is below 1
   */
  public FabricLink {
    Objects.requireNonNull(peer, "peer");
    if (count < 1) {
      throw new IllegalArgumentException("links to " + peer + ": expected 1 or more, got " + count);
    }
  }
}
