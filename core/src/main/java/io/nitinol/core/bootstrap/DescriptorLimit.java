// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Checks that this process may have as many descriptors as the system allows it; NCCL raises the
 * limit itself. The JVM does so when it starts (its option {@code MaxFDLimit} is on by default), so
 * it is enough to look, and to warn if that option is off.
 */
final class DescriptorLimit {
  private static final AtomicBoolean CHECKED = new AtomicBoolean();
  private static final String NAME = "Max open files";

  private DescriptorLimit() {}

  /** Looks once per process, and warns or informs. */
  static void check(DebugLogger log) {
    if (CHECKED.getAndSet(true)) {
      return;
    }
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
        if (line.startsWith(NAME)) {
          report(line.substring(NAME.length()).strip().split("\\s+"), log);
        }
      }
    } catch (IOException e) {
      log.info(LogSubsystem.INIT, "bootstrap", "descriptor limit unknown: " + e);
    }
  }

  private static void report(String[] limits, DebugLogger log) {
    if (limits.length < 2 || limits[0].equals(limits[1])) {
      log.info(LogSubsystem.INIT, "bootstrap", "descriptor limit " + limits[0]);
    } else {
      log.warn(
          "bootstrap",
          ErrorText.of(
              "this process may have %s descriptors although the system allows %s: the JVM raises"
                  + " the limit by itself unless -XX:-MaxFDLimit is given",
              limits[0], limits[1]));
    }
  }
}
