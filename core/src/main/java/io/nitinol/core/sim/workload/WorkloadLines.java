// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.workload;

import io.nitinol.toolkit.ErrorText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The words of a file's lines, and the numbers that both formats have. */
final class WorkloadLines {
  /** The most bytes of a file. */
  static final int MOST_BYTES = 8 << 20;

  private static final int MOST_LINES = 200_000;

  private WorkloadLines() {}

  /** A line that is not empty: its number from 1, and its words. */
  record Line(int number, List<String> words) {
    WorkloadException wrong(String what, String value, String expected) {
      return new WorkloadException(
          ErrorText.of("line %d: %s '%s'; expected %s", number, what, cut(value), expected));
    }
  }

  /** Returns a value that is short enough for a sentence. */
  static String cut(String value) {
    return value.length() <= 60 ? value : value.substring(0, 60) + "...";
  }

  static List<Line> read(byte[] content) throws WorkloadException {
    if (content.length > MOST_BYTES) {
      throw new WorkloadException(
          ErrorText.of("%d bytes; expected at most %d", content.length, MOST_BYTES));
    }
    List<Line> lines = new ArrayList<>();
    int number = 0;
    for (String text : new String(content, StandardCharsets.UTF_8).split("\n", -1)) {
      number++;
      int comment = text.indexOf('#');
      String line = (comment < 0 ? text : text.substring(0, comment)).strip();
      if (!line.isEmpty()) {
        if (lines.size() == MOST_LINES) {
          throw new WorkloadException(ErrorText.of("more than %d lines", MOST_LINES));
        }
        lines.add(new Line(number, List.of(line.split("\\s+"))));
      }
    }
    return lines;
  }

  /** Reads a whole number from {@code least} to {@code most}. */
  static long number(Line line, String what, String text, long least, long most)
      throws WorkloadException {
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below, as a number that is too large is
    }
    throw line.wrong(what, text, ErrorText.of("a number from %d to %d", least, most));
  }

  /** Reads a number with one of some units behind it, and rounds it to a whole one. */
  static long scaled(
      Line line, String what, String text, String[] units, long[] factors, long most, String hint)
      throws WorkloadException {
    for (int i = 0; i < units.length; i++) {
      String number = text.substring(0, Math.max(0, text.length() - units[i].length()));
      if (!number.isEmpty() && number.length() <= 20 && text.endsWith(units[i])) {
        if (!number.matches("[0-9]+(\\.[0-9]+)?")) {
          continue;
        }
        BigDecimal value = new BigDecimal(number).multiply(BigDecimal.valueOf(factors[i]));
        if (value.compareTo(BigDecimal.valueOf(most)) <= 0) {
          return value.longValue();
        }
      }
    }
    throw line.wrong(what, text, hint);
  }
}
