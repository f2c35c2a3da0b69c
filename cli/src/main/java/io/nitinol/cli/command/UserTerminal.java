// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.command;

import io.nitinol.cli.command.ffi.TerminalSize;
import java.io.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** What there is to know of the terminal that a person may sit at. */
public final class UserTerminal {
  /** A width below which no text is readable: it stands for a mistake. */
  private static final int LEAST = 20;

  private static final int MOST_DIGITS = 5;

  /** The system property of a process whose standard error gets to a terminal. */
  public static final String ERRORS_SHOWN = "nitinol.errors.shown";

  private UserTerminal() {}

  /** Returns whether a person reads what is printed, on a terminal that can erase a line. */
  @SuppressWarnings("SystemConsoleNull") // it is null in a run-time image without jdk.internal.le
  public static boolean isThere() {
    Console console = System.console();
    return console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
  }

  /**
   * Returns whether a person sees what is printed to standard error. A process that this command
   * has started prints through the one that started it, which says so by {@link #ERRORS_SHOWN}.
   */
  public static boolean showsErrors() {
    return Boolean.getBoolean(ERRORS_SHOWN) || TerminalSize.columns(TerminalSize.STDERR) > 0;
  }

  /**
   * Returns how wide lines may be: {@code COLUMNS} of the environment, or else the width of the
   * terminal.
   *
   * @return characters; 0 where output goes to no terminal, whose lines are not to be broken
   */
  public static int columns() {
    return columns(System.getenv(), () -> TerminalSize.columns(TerminalSize.STDOUT));
  }

  static int columns(Map<String, String> environment, IntSupplier terminal) {
    String asked = environment.getOrDefault("COLUMNS", "").strip();
    boolean number =
        !asked.isEmpty()
            && asked.length() <= MOST_DIGITS
            && asked.chars().allMatch(c -> c >= '0' && c <= '9');
    int columns = number ? Integer.parseInt(asked) : terminal.getAsInt();
    return columns < LEAST ? 0 : columns;
  }

  /**
   * Breaks a text between its words.
   *
   * @param columns the most characters of a line, which a longer word alone exceeds; 0 for no break
   */
  public static List<String> wrapped(String text, int columns) {
    if (columns <= 0) {
      return List.of(text);
    }
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > columns) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
