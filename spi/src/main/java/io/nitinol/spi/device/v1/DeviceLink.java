// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

import java.util.Objects;

/**
 * How one device reaches another one of the same provider.
 *
 * @param kind what the link is made of
 * @param performanceRank the driver's order of the links of one device: 0 is the fastest, equal
 *     numbers are equally fast; comparable among the links of one device only
 * @param atomics whether atomic operations on the peer's memory are carried out there
 */
public record DeviceLink(Kind kind, int performanceRank, boolean atomics) {

  /** What a link is made of. */
  public enum Kind {
    /** The device itself. */
    SELF,
    /** A link of devices: NVLink, Infinity Fabric, Xe Link. */
    FABRIC,
    /** PCI Express, directly or through switches. */
    PCI,
    /** The host's memory bus, as between processors. */
    HOST,
    /** The driver does not tell. */
    UNKNOWN
  }

  /**
   * Checks the rank.
   *
   * @throws IllegalArgumentException when it is negative
   */
  public DeviceLink {
    Objects.requireNonNull(kind, "kind");
    if (performanceRank < 0) {
      throw new IllegalArgumentException(
          "performance rank: expected 0 or more, got " + performanceRank);
    }
  }
}
