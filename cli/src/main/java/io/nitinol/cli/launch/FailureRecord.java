// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.core.config.LaunchVariables;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a rank ended, as one line on its stderr that only its launcher sees. So the
 * launcher can print once what all ranks would print.
 *
 * @param status the rank's exit status
 * @param failedRank the rank that has failed according to this one, or -1
 * @param message the sentence for the user; may have several lines
 */
public record FailureRecord(int status, int failedRank, String message) {

  // A control character that no log line begins with.
  private static final String MARK = "\u001enitinol-failure ";

  /** Returns whether this process was launched by a launcher that reads these records. */
  public static boolean isWanted(Map<String, String> environment) {
    return environment.containsKey(LaunchVariables.LAUNCHED.name());
  }

  /** Returns the line to print, without a line end. */
  public String encode() {
    String escaped = message.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    return MARK + status + " " + failedRank + " " + escaped;
  }

  /** Returns the record that {@code line} holds, or null where it is an ordinary line. */
  static @Nullable FailureRecord decode(String line) {
    if (!line.startsWith(MARK)) {
      return null;
    }
    String[] parts = line.substring(MARK.length()).split(" ", 3);
    try {
      return new FailureRecord(
          Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), unescape(parts[2]));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      return null; // cut short by the death of the rank: shown as the text it is
    }
  }

  private static String unescape(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        char escaped = text.charAt(++i);
        c =
            switch (escaped) {
              case 'n' -> '\n';
              case 'r' -> '\r';
              default -> escaped;
            };
      }
      plain.append(c);
    }
    return plain.toString();
  }
}
