// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import java.util.Map;

/**
 * The bandwidth of links in GB/s as NCCL counts it: less than the wire's, so that sums of what
 * channels use come near to what is measured. From {@code topo.h} of NCCL 2.28.9.
 */
final class LinkSpeeds {
  /** Within a node; more than any link has. */
  static final float LOCAL = 5000.0f;

  /** Of a lane, in hundreds of Mbit/s, by the text of {@code link_speed}. */
  private static final Map<String, Integer> LANES =
      Map.ofEntries(
          Map.entry("2.5 GT/s", 15),
          Map.entry("5 GT/s", 30),
          Map.entry("8 GT/s", 60),
          Map.entry("16 GT/s", 120),
          Map.entry("32 GT/s", 240),
          Map.entry("2.5 GT/s PCIe", 15),
          Map.entry("5.0 GT/s PCIe", 30),
          Map.entry("8.0 GT/s PCIe", 60),
          Map.entry("16.0 GT/s PCIe", 120),
          Map.entry("32.0 GT/s PCIe", 240),
          Map.entry("64.0 GT/s PCIe", 480));

  private static final int UNKNOWN_LANE = 60;
  private static final int UNKNOWN_WIDTH = 16;
  private static final int UNKNOWN_MBPS = 10_000;

  private LinkSpeeds() {}

  /** Returns the bandwidth of one NVLink of a GPU. */
  static float nvlink(int computeCapability) {
    if (computeCapability >= 100) {
      return 40.1f;
    } else if (computeCapability >= 90) {
      return 20.6f;
    } else if (computeCapability == 86) {
      return 12.0f;
    } else if (computeCapability >= 70 || computeCapability < 60) {
      return 20.0f;
    }
    return 18.0f;
  }

  /**
   * Returns the bandwidth of a PCI link.
   *
   * @param speed the text of sysfs; one that is not known counts as PCIe 3
   * @param width the lanes; 0, not known, counts as 16
   */
  static float pci(String speed, int width) {
    int lanes = width == 0 ? UNKNOWN_WIDTH : width;
    return (float) (lanes * LANES.getOrDefault(speed, UNKNOWN_LANE) / 80.0);
  }

  /** Returns the bandwidth of a network device; no speed counts as 10 Gbit/s. */
  static float net(int mbps) {
    return (float) ((mbps <= 0 ? UNKNOWN_MBPS : mbps) / 8000.0);
  }

  /** Returns the bandwidth between NUMA domains. */
  static float betweenCpus(NodeFacts.Cpu cpu) {
    return switch (cpu.arch()) {
      case "ppc64" -> 32.0f;
      case "arm64" -> 6.0f;
      case "x86_64" -> betweenX86(cpu);
      default -> LOCAL;
    };
  }

  private static float betweenX86(NodeFacts.Cpu cpu) {
    return switch (cpu.vendor()) {
      case NodeFacts.Cpu.INTEL -> {
        if (cpu.family() != 6 || cpu.model() < 0x55) {
          yield 6.0f; // Broadwell
        }
        yield cpu.model() >= 0xCF ? 40.0f : cpu.model() >= 0x8F ? 22.0f : 10.0f;
      }
      case NodeFacts.Cpu.AMD -> 16.0f;
      case "CentaurHauls", "  Shanghai  " -> cpu.family() == 7 && cpu.model() == 0x5B ? 9.0f : 6.0f;
      default -> LOCAL;
    };
  }
}
