// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kit's results for each way that was run, now or earlier, as one table: running all ways takes
 * too long for one sitting.
 */
final class KitTable {
  private static final String ROW = "%-26s %6s %7s %8s %8s %8s  %-16s %s";
  private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

  private static final Pattern SUMMARY =
      Pattern.compile(
          "the contract: (\\d+) rules kept, (\\d+) broken, (\\d+) blocked, (\\d+) skipped; .*, ([\\d.]+ s)");
  private static final Pattern AT_FAULT =
      Pattern.compile("^(\\S+) +(FAILED|blocked) ", Pattern.MULTILINE);

  private KitTable() {}

  /**
   * Returns the lines of the table.
   *
   * @param reports where each way has left a directory of its name, with one of its command's,
   *     which has the same name
   * @param ways those that there are
   */
  static List<String> lines(Path reports, List<String> ways) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(row("way", "kept", "broken", "blocked", "skipped", "took", "ended", "not kept"));
    for (String way : ways) {
      Path first = reports.resolve(way).resolve(way).resolve("out");
      Path again = reports.resolve(way).resolve("again").resolve(way).resolve("out");
      lines.add(row(way, Files.exists(again) ? again : first));
    }
    return lines;
  }

  private static String row(String way, Path out) throws IOException {
    if (!Files.exists(out)) {
      return row(way, "", "", "", "", "", "", "not run");
    }
    String ended =
        MINUTE.format(
            LocalDateTime.ofInstant(
                Files.getLastModifiedTime(out).toInstant(), ZoneId.systemDefault()));
    String text = Files.readString(out);
    Matcher summary = SUMMARY.matcher(text);
    if (!summary.find()) {
      return row(way, "", "", "", "", "", ended, "has not come to its end");
    }
    List<String> rules = AT_FAULT.matcher(text).results().map(rule -> rule.group(1)).toList();
    return row(
        way,
        summary.group(1),
        summary.group(2),
        summary.group(3),
        summary.group(4),
        summary.group(5),
        ended,
        String.join(" ", rules));
  }

  private static String row(String... cells) {
    return String.format(Locale.ROOT, ROW, (Object[]) cells).stripTrailing();
  }
}
