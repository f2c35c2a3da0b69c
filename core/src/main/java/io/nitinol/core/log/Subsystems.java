// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.log;

import io.nitinol.spi.LogSubsystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The syntax of {@code NCCL_DEBUG_SUBSYS}: names with commas between, {@code ^} inverts. */
record Subsystems(long mask, List<String> unknown) {

  /**
   * Parses {@code text}; names that NCCL does not have are ignored and kept in {@link #unknown}.
   */
  static Subsystems parse(String text) {
    boolean inverted = text.startsWith("^");
    long named = 0;
    List<String> unknown = new ArrayList<>();
    for (String part : (inverted ? text.substring(1) : text).split(",", -1)) {
      String name = part.strip();
      if (name.isEmpty()) {
        continue;
      }
      long bits = maskOf(name.toUpperCase(Locale.ROOT));
      if (bits == 0) {
        unknown.add(name);
      }
      named |= bits;
    }
    return new Subsystems(inverted ? ~named : named, List.copyOf(unknown));
  }

  private static long maskOf(String name) {
    if (name.equals("ALL")) {
      return LogSubsystem.ALL;
    }
    for (LogSubsystem each : LogSubsystem.values()) {
      if (each.name().equals(name)) {
        return each.mask();
      }
    }
    return 0;
  }
}
