// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;

/**
 * The log that a plugin gets. While its {@code init} runs, what it writes is also kept, whatever
 * the log's level: where the plugin has no devices, its last line says why ({@code NET-INIT-03}).
 */
final class InitLog implements DebugLogger {
  private final DebugLogger log;
  // Other threads of the plugin may log meanwhile; which line is the last is then open.
  private volatile boolean listening = true;
  private volatile String last = "";

  InitLog(DebugLogger log) {
    this.log = log;
  }

  /** Ends the keeping of lines: from now on this is nothing but the log. */
  void stop() {
    listening = false;
  }

  /**
   * Returns the last line of information or warning, without the plugin's name before it.
   *
   * @param name the plugin's name, which a line may begin with, as in {@code NET/IB : }
   * @return the line, or an empty text where there was none
   */
  String last(String name) {
    String line = last.strip();
    String prefix = "NET/" + name;
    if (line.regionMatches(true, 0, prefix, 0, prefix.length())) {
      String rest = line.substring(prefix.length()).stripLeading();
      return rest.startsWith(":") ? rest.substring(1).strip() : line;
    }
    return line;
  }

  @Override
  public boolean isEnabled(LogLevel level, long subsystems) {
    return (listening && isKept(level)) || log.isEnabled(level, subsystems);
  }

  @Override
  public void log(LogLevel level, long subsystems, String location, int line, String message) {
    if (listening && isKept(level)) {
      last = message;
    }
    if (log.isEnabled(level, subsystems)) {
      log.log(level, subsystems, location, line, message);
    }
  }

  private static boolean isKept(LogLevel level) {
    return level == LogLevel.INFO || level == LogLevel.WARN;
  }
}
