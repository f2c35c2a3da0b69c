// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

/**
 * The sink of a plugin's log lines; mirrors {@code ncclDebugLogger_t}. NCCL's function takes a
 * printf format and arguments; here the message is already text, so a caller asks {@link
 * #isEnabled} before it builds one. Implementations are safe to call from any thread, never throw
 * and never block on anything but the log's own output.
 */
public interface DebugLogger {

  /**
   * Returns whether a line would be written. Cheap enough to be asked on the data path.
   *
   * @param level how important the line is
   * @param subsystems what it is about, bits of {@link LogSubsystem}
   * @return true if {@link #log} would write it
   */
  boolean isEnabled(LogLevel level, long subsystems);

  /**
   * Writes one line.
   *
   * @param level how important it is
   * @param subsystems what it is about, bits of {@link LogSubsystem}; a warning passes {@link
   *     LogSubsystem#ALL}
   * @param location the class or file the line comes from
   * @param line the line in that file, or 0 where it says nothing
   * @param message the text, without a trailing newline
   */
  void log(LogLevel level, long subsystems, String location, int line, String message);

  /**
   * Writes a warning.
   *
   * @param location the class or file it comes from
   * @param message the text, without a trailing newline
   */
  default void warn(String location, String message) {
    log(LogLevel.WARN, LogSubsystem.ALL, location, 0, message);
  }

  /**
   * Writes an information line.
   *
   * @param subsystem what it is about
   * @param location the class or file it comes from
   * @param message the text, without a trailing newline
   */
  default void info(LogSubsystem subsystem, String location, String message) {
    log(LogLevel.INFO, subsystem.mask(), location, 0, message);
  }
}
