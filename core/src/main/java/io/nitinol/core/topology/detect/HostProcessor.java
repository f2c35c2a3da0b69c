// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.detect;

import java.util.Locale;

/**
 * What kind of processors a machine has.
 *
 * @param arch {@code x86_64}, {@code arm64} or {@code ppc64}
 * @param vendor as the processor says it; empty except on x86
 * @param family its family, counted as NCCL does
 * @param model its model
 */
record HostProcessor(String arch, String vendor, int family, int model) {
  private static final int EXTENDED = 15;

  /** Reads {@code /proc/cpuinfo}, whose first processor counts for all, as in NCCL. */
  static HostProcessor of(SystemFiles files) {
    String vendor = "";
    int family = 0;
    int model = 0;
    String info = files.text("/proc/cpuinfo");
    for (String line : info.split("\n", 64)) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        continue;
      }
      String value = line.substring(colon + 1).strip();
      switch (line.substring(0, colon).strip()) {
        case "vendor_id" -> vendor = value;
        case "cpu family" -> family = number(value);
        case "model" -> model = number(value);
        default -> {} // what the graph does not need
      }
    }
    String arch = arch(info);
    if (!arch.equals("x86_64")) {
      return new HostProcessor(arch, "", 0, 0);
    }
    // The kernel adds the extended family, NCCL shifts it: 25 is 0xaf there.
    int counted = family > EXTENDED ? EXTENDED + ((family - EXTENDED) << 4) : family;
    return new HostProcessor(arch, vendor, counted, model);
  }

  /** Tells by the file itself, so that the tree of another machine is that machine's. */
  private static String arch(String info) {
    if (info.contains("vendor_id")) {
      return "x86_64";
    } else if (info.contains("CPU implementer")) {
      return "arm64";
    } else if (info.contains("POWER")) {
      return "ppc64";
    }
    String own = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    return own.equals("aarch64") ? "arm64" : own.startsWith("ppc64") ? "ppc64" : "x86_64";
  }

  private static int number(String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
