// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.topology.v1;

import java.util.List;
import java.util.Objects;

/**
 * One device and its links.
 *
 * @param pciId its address on the PCI bus, such as {@code 0000:4e:00.0}
 * @param index its number on the machine, the same in every process (NVML's index); -1 where that
 *     is not known
 * @param generation 10 × major + minor of its compute capability, 90 for Hopper; 0 where that is
 *     not known
 * @param networkAccess whether network cards can read and write its memory
 * @param links its links to other devices and to switches of such links
 * @param cpuLinks how many links of its own kind it has to a processor (NVLink-C2C)
 * @param cpuLinkMbytes what one of these carries, in megabytes (10<sup>6</sup>) per second
 */
public record DeviceWiring(
    String pciId,
    int index,
    int generation,
    boolean networkAccess,
    List<FabricLink> links,
    int cpuLinks,
    int cpuLinkMbytes) {

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException when a number is negative, except an index of -1
   */
  public DeviceWiring {
    Objects.requireNonNull(pciId, "pciId");
    links = List.copyOf(links);
    if (index < -1 || generation < 0 || cpuLinks < 0 || cpuLinkMbytes < 0) {
      throw new IllegalArgumentException(
          "index, generation and links of "
              + pciId
              + ": expected 0 or more, got "
              + List.of(index, generation, cpuLinks, cpuLinkMbytes));
    }
  }
}
