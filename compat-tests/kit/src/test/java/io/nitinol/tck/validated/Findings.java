// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.validated;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.validate.Party;
import io.nitinol.validate.Violations;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * What the decorators in this process have found since the last {@link #clear}, of all instances
 * that the kit made. Safe for any thread.
 */
final class Findings {
  private static final List<Supplier<Violations>> WATCHED = new CopyOnWriteArrayList<>();
  private static final List<String> LINES = new CopyOnWriteArrayList<>();

  /** Where the decorators write. */
  static final DebugLogger LOG =
      new DebugLogger() {
        @Override
        public boolean isEnabled(LogLevel level, long subsystems) {
          return level == LogLevel.WARN;
        }

        @Override
        public void log(LogLevel level, long subsystems, String file, int line, String message) {
          if (level == LogLevel.WARN) {
            LINES.add(message);
          }
        }
      };

  private Findings() {}

  static void clear() {
    WATCHED.clear();
    LINES.clear();
  }

  static void watch(Supplier<Violations> violations) {
    WATCHED.add(violations);
  }

  /** Returns how many instances there were. */
  static int instances() {
    return WATCHED.size();
  }

  /** Returns how often {@code party} broke each rule. */
  static Map<String, Long> counts(Party party) {
    Map<String, Long> all = new TreeMap<>();
    for (Supplier<Violations> each : WATCHED) {
      each.get().counts(party).forEach((rule, n) -> all.merge(rule, n, Long::sum));
    }
    return all;
  }

  /** Returns the lines that accuse {@code party}. */
  static List<String> lines(Party party) {
    return LINES.stream().filter(line -> line.contains(": " + party.label() + " broke ")).toList();
  }
}
