// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A line on stderr that a process writes for the one that started it, which takes it out of what
 * users see. A mark that no text begins with tells it from other lines.
 *
 * @param kind what it is about
 * @param text may have several lines
 */
record ReportLine(Kind kind, String text) {
  private static final String MARK = "\u001enitinol-";

  /** What a line is about; the names are in it, in lower case. */
  enum Kind {
    /** The exit status that the process is about to end with: it has come to its end. */
    STATUS,
    /** A {@link FailureRecord}. */
    FAILURE,
    /** The call of a plugin that begins; empty at its end. */
    PLUGIN,
    /** The code that has called {@link System#exit}. */
    EXIT,
    /** A signal has asked the process to end. */
    SIGNAL,
    /** The rank has met the others. */
    MET;

    private final String mark = MARK + name().toLowerCase(Locale.ROOT) + " ";
  }

  /** Returns the line to print, without a line end. */
  String encode() {
    return kind.mark + text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  /** Returns where a report begins in {@code line}, or -1 if there is none. */
  static int start(String line) {
    return line.indexOf(MARK);
  }

  /** Returns the report that {@code line} is, or null for an ordinary line. */
  static @Nullable ReportLine decode(String line) {
    for (Kind kind : Kind.values()) {
      if (line.startsWith(kind.mark)) {
        return new ReportLine(kind, unescape(line.substring(kind.mark.length())));
      }
    }
    return null;
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
