// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs as columns of text, with the speed of each against the first one. As in nccl-tests' table, a
 * line that is no row begins with {@code #}.
 */
final class ComparisonTable {
  private static final String NONE = "-";
  private static final int LABELS = 5;

  private final List<PerfRun> runs;
  private final List<List<String>> rows = new ArrayList<>();

  /** The lines below a row. */
  private final List<List<String>> notes = new ArrayList<>();

  private ComparisonTable(List<PerfRun> runs) {
    this.runs = runs;
  }

  /** Returns what stands for a run in the titles. */
  static String letter(int run) {
    return String.valueOf((char) ('A' + run));
  }

  static List<String> lines(List<PerfRun> runs) {
    ComparisonTable table = new ComparisonTable(runs);
    table.fill();
    return table.print();
  }

  /** Returns what any of the runs has measured. */
  static SortedSet<PointKey> keys(List<PerfRun> runs) {
    SortedSet<PointKey> keys = new TreeSet<>();
    runs.forEach(run -> keys.addAll(run.points().keySet()));
    return keys;
  }

  private void fill() {
    List<String> titles = new ArrayList<>(List.of("size", "type", "redop", "root", "place"));
    List<String> units = new ArrayList<>(List.of("(B)", "", "", "", ""));
    for (int i = 0; i < runs.size(); i++) {
      titles.addAll(List.of(letter(i) + " time", letter(i) + " busbw"));
      units.addAll(List.of("(us)", "(GB/s)"));
      if (i > 0) {
        titles.add(letter(i) + " speed");
        units.add("(of A)");
      }
    }
    add(titles, List.of());
    add(units, List.of());
    keys(runs).forEach(this::addRow);
  }

  private void add(List<String> row, List<String> below) {
    rows.add(row);
    notes.add(below);
  }

  private void addRow(PointKey key) {
    List<String> row = new ArrayList<>();
    row.addAll(
        List.of(Long.toString(key.size()), key.type(), key.redop(), key.root(), key.place()));
    List<String> below = new ArrayList<>();
    PerfPoint first = runs.getFirst().points().get(key);
    for (int i = 0; i < runs.size(); i++) {
      PerfPoint point = runs.get(i).points().get(key);
      row.add(point == null ? NONE : PerfPoint.figure(point.micros()));
      row.add(point == null ? NONE : PerfPoint.figure(point.busBandwidth()));
      if (i > 0) {
        row.add(speed(first, point));
      }
      if (point != null && !point.doubts().isEmpty()) {
        below.add(
            ErrorText.of(
                "# %s at %d bytes: %s", letter(i), key.size(), String.join(", ", point.doubts())));
      }
    }
    add(row, below);
  }

  /** Returns the time of the first run over that of another one. */
  static String speed(@Nullable PerfPoint first, @Nullable PerfPoint other) {
    return first == null || other == null || first.micros() == 0 || other.micros() == 0
        ? NONE
        : ErrorText.of("%.3f", first.micros() / other.micros());
  }

  private List<String> print() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      PerfRun run = runs.get(i);
      lines.add(
          ErrorText.of(
              "# %s: %s%s%s",
              letter(i),
              run.name(),
              run.program().isEmpty() ? "" : ", " + run.program(),
              run.cpuTime() ? ", times until an operation was started (-C)" : ""));
    }
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder(r < 2 ? "#" : " ");
      for (int i = 0; i < widths.length; i++) {
        String cell = rows.get(r).get(i);
        line.append(" ".repeat(widths[i] - cell.length() + (i == 0 ? 1 : 2))).append(cell);
      }
      lines.add(line.toString());
      lines.addAll(notes.get(r));
    }
    if (runs.size() > 1) {
      lines.add("# Speed is the time of A over that of the run: above 1 the run is faster than A.");
      if (rows.stream().skip(2).noneMatch(this::hasSpeed)) {
        lines.add("# No size, type, operator, root and place is both in A and in another run.");
      }
    }
    return lines;
  }

  private boolean hasSpeed(List<String> row) {
    for (int i = LABELS + 4; i < row.size(); i += 3) {
      if (!row.get(i).equals(NONE)) {
        return true;
      }
    }
    return false;
  }
}
