// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the table that nccl-tests' programs and {@code nitinol perf} print, of any release: the
 * line with the titles tells which columns there are. Lines of a log between the rows are skipped.
 */
final class NcclTable {
  private static final int MOST_SHOWN = 60;
  private static final int MOST_TITLES = 300;
  private static final int MOST_COMMENTS = 200;
  private static final int MOST_OF_A_COMMENT = 1000;

  /** Where the titles are missing, as behind a grep, they are those of now. */
  private static final String USUAL =
      "size count type redop root time algbw busbw #wrong time algbw busbw #wrong";

  private static final Set<String> TIMES = Set.of("time", "cputime");
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final Pattern PROGRAM =
      Pattern.compile("# Collective test (?:starting|concluded): (\\S+)\\s*");

  /** mpirun --tag-output puts this before each line; since 5, with the name of the job. */
  private static final Pattern TAG =
      Pattern.compile("^\\[[^\\]]{0,300}?\\d{1,10},\\d{1,10}\\]<std(?:out|err)>:\\s?");

  /** {@code nitinol perf} says so below a row, of both places at once. */
  private static final Pattern UNSTEADY = Pattern.compile("# (\\d{1,19}) bytes: not steady\\b.*");

  private static final Pattern ROW = Pattern.compile("\\s*\\d+\\s+\\d+\\s+[A-Za-z]\\w*\\s.*");
  private static final Pattern NUMBER = Pattern.compile("[0-9.]+(?:e[+-]?[0-9]+)?");

  private final List<String> comments = new ArrayList<>();
  private final List<PerfPoint> points = new ArrayList<>();
  private List<String> columns = List.of(USUAL.split(" "));
  private String program = "";

  /** How many points there were before the last row. */
  private int lastRow;

  private NcclTable() {}

  static PerfRun parse(String text) throws IOException {
    NcclTable table = new NcclTable();
    int number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      try {
        table.read(TAG.matcher(line).replaceFirst(""));
      } catch (IOException e) {
        throw new IOException(ErrorText.of("line %d: %s", number, e.getMessage()), e);
      }
    }
    if (table.points.isEmpty()) {
      throw new IOException(
          "it has no row of figures; expected a file of nitinol perf --json, or the table that"
              + " nccl-tests prints");
    }
    return new PerfRun(
        table.program.replaceFirst("_perf$", ""),
        table.program,
        table.columns.contains("cputime"),
        new TreeMap<>(),
        new TreeMap<>(),
        "",
        List.copyOf(table.comments),
        PerfRun.byKey(table.points));
  }

  private void read(String line) throws IOException {
    if (line.startsWith("#")) {
      comment(line);
    } else if (ROW.matcher(line).matches()) {
      row(List.of(BLANKS.split(line.strip())));
    }
  }

  private void comment(String line) throws IOException {
    Matcher named = PROGRAM.matcher(line);
    if (named.matches()) {
      String name = shown(String.valueOf(named.group(1)));
      if (!program.isEmpty() && !program.equals(name)) {
        throw new IOException(
            ErrorText.of(
                "a table of %s after one of %s; expected one program in a file", name, program));
      }
      program = name;
    }
    Matcher unsteady = UNSTEADY.matcher(line);
    if (unsteady.matches()) {
      doubtLastRow(String.valueOf(unsteady.group(1)));
    }
    List<String> titles = List.of(BLANKS.split(line.substring(1).strip()));
    if (titles.containsAll(List.of("size", "count", "type", "busbw"))) {
      columns = titles;
    } else if (comments.size() < MOST_COMMENTS && line.length() > 1) {
      comments.add(line.substring(0, Math.min(line.length(), MOST_OF_A_COMMENT)));
    }
  }

  private void doubtLastRow(String size) {
    for (int i = lastRow; i < points.size(); i++) {
      PerfPoint point = points.get(i);
      if (Long.toString(point.key().size()).equals(size)) {
        points.set(i, point.unsteady());
      }
    }
  }

  private void row(List<String> words) throws IOException {
    int first = 0;
    while (first < columns.size() && !TIMES.contains(columns.get(first))) {
      first++;
    }
    boolean stamped = columns.contains("timestamp");
    int rates = columns.contains("msg/s") ? 1 : 0; // behind the figures of both places
    int figures = columns.size() - first - rates - (stamped ? 1 : 0);
    int half = figures / 2;
    int count = words.size() - rates - (stamped ? 2 : 0); // a day and a time
    // Old programs leave redop and root blank; a replayed trace is measured in place only.
    boolean both = count >= 3 + figures;
    int labels = count - (both ? figures : half);
    if (first < 3 || half < 3 || labels < 3 || labels > first || (!both && labels < first)) {
      throw new IOException(
          ErrorText.of(
              "%d words, %s; expected the %d columns %s",
              words.size(),
              shown(String.join(" ", words)),
              columns.size(),
              PeerText.printable(String.join(" ", columns), MOST_TITLES)));
    }
    long size;
    try {
      size = Long.parseLong(words.getFirst());
    } catch (NumberFormatException e) {
      throw new IOException(
          ErrorText.of("the size %s is too large a number", shown(words.getFirst())), e);
    }
    String redop = PointKey.NO_REDOP;
    String root = PointKey.NO_ROOT;
    for (String word : words.subList(3, labels)) {
      if (word.matches("-?\\d+")) {
        root = word;
      } else {
        redop = shown(word);
      }
    }
    lastRow = points.size();
    if (lastRow >= 2 * PerfRun.MOST_ROWS) {
      throw new IOException(
          ErrorText.of("expected at most %d rows of figures in a file", PerfRun.MOST_ROWS));
    }
    for (int place = both ? 0 : 1; place < 2; place++) {
      PointKey key = new PointKey(size, shown(words.get(2)), redop, root, place == 1);
      int begin = labels + (both ? place * half : 0);
      add(
          key,
          columns.subList(first + place * half, first + (place + 1) * half),
          words.subList(begin, begin + half));
    }
  }

  private void add(PointKey key, List<String> titles, List<String> words) throws IOException {
    if (words.getFirst().equals("N/A")) {
      return; // the collective has no such place
    }
    int wrong = titles.indexOf("#wrong");
    boolean checked = wrong >= 0 && !words.get(wrong).equals("N/A");
    points.add(
        new PerfPoint(
            key,
            number("time", words.getFirst()),
            number("algbw", word(titles, words, "algbw")),
            number("busbw", word(titles, words, "busbw")),
            checked ? number("#wrong", words.get(wrong)) : PerfPoint.UNCHECKED,
            true));
  }

  private static String word(List<String> titles, List<String> words, String title) {
    int at = titles.indexOf(title);
    return at < 0 ? "" : words.get(at);
  }

  private static double number(String title, String word) throws IOException {
    double value = -1;
    if (NUMBER.matcher(word).matches()) {
      try {
        value = Double.parseDouble(word);
      } catch (NumberFormatException e) {
        value = -1; // 1.2.3, of which the sentence below tells
      }
    }
    if (!PerfPoint.isFigure(value)) {
      throw new IOException(
          ErrorText.of("%s is '%s'; expected %s", title, shown(word), PerfPoint.FIGURES));
    }
    return value;
  }

  private static String shown(String text) {
    return PeerText.printable(text, MOST_SHOWN);
  }
}
