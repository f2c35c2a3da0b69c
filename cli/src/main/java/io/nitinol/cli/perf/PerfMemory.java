// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The free memory of this host. */
final class PerfMemory {
  private static final String AVAILABLE = "MemAvailable:";

  private PerfMemory() {}

  /** Returns the bytes that can be allocated without swapping, or -1 where that is not known. */
  static long available() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
        if (line.startsWith(AVAILABLE)) {
          String kilobytes = line.substring(AVAILABLE.length()).replace("kB", "").strip();
          return Long.parseLong(kilobytes) * 1024;
        }
      }
    } catch (IOException | NumberFormatException e) {
      return -1; // not Linux as we know it: then the allocation itself has to fail
    }
    return -1;
  }
}
