// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.logbridge;

import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.log.v1.LogLine;
import java.util.Locale;

/** What all sinks have in common: the names of loggers, and the text of a line. */
final class LoggerName {
  /** The logger of warnings, and of what is about several subsystems. */
  static final String ROOT = "io.nitinol";

  private LoggerName() {}

  /** Returns the name of the logger: {@code io.nitinol.net} and so on. */
  static String of(LogLine line) {
    for (LogSubsystem each : LogSubsystem.values()) {
      if (each.mask() == line.subsystems() && line.level() != LogLevel.WARN) {
        return ROOT + "." + each.name().toLowerCase(Locale.ROOT);
      }
    }
    return ROOT;
  }

  /** Returns the message with its rank before it, where one is known. */
  static String text(LogLine line) {
    return line.rank() < 0 ? line.message() : "[rank " + line.rank() + "] " + line.message();
  }
}
