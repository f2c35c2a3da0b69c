// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one run measured, and where and how.
 *
 * @param name what it is called beside others
 * @param program nccl-tests' name of the collective, such as {@code all_reduce_perf}; empty where
 *     the file does not tell
 * @param cpuTime whether the times are those until an operation was started, as {@code -C} asks for
 * @param facts the machine and the set-up, by what they are
 * @param variables those that the user had set
 * @param command what repeats it in a shell; empty where the file does not tell
 * @param comments the lines of comment of a table
 * @param points the figures, by what was measured
 */
record PerfRun(
    String name,
    String program,
    boolean cpuTime,
    SortedMap<String, String> facts,
    SortedMap<String, String> variables,
    String command,
    List<String> comments,
    NavigableMap<PointKey, PerfPoint> points) {

  /** More rows of figures than any measurement has; a file may be of a stranger. */
  static final int MOST_ROWS = 100_000;

  PerfRun called(String other) {
    return new PerfRun(other, program, cpuTime, facts, variables, command, comments, points);
  }

  /**
   * Returns the points by their keys. Of several with one key, as {@code -N} makes them, the one of
   * the median time counts, and it has the wrong elements of all.
   */
  static NavigableMap<PointKey, PerfPoint> byKey(Collection<PerfPoint> points) {
    NavigableMap<PointKey, List<PerfPoint>> groups = new TreeMap<>();
    points.forEach(
        point -> groups.computeIfAbsent(point.key(), key -> new ArrayList<>()).add(point));
    NavigableMap<PointKey, PerfPoint> merged = new TreeMap<>();
    groups.forEach((key, all) -> merged.put(key, all.size() == 1 ? all.getFirst() : median(all)));
    return merged;
  }

  private static PerfPoint median(List<PerfPoint> all) {
    all.sort(Comparator.comparingDouble(PerfPoint::micros));
    PerfPoint middle = all.get((all.size() - 1) / 2);
    boolean checked = all.stream().anyMatch(point -> point.wrong() >= 0);
    return new PerfPoint(
        middle.key(),
        middle.micros(),
        middle.algorithmBandwidth(),
        middle.busBandwidth(),
        checked
            ? all.stream().mapToDouble(point -> Math.max(0, point.wrong())).sum()
            : PerfPoint.UNCHECKED,
        all.stream().allMatch(PerfPoint::steady),
        middle.spread());
  }
}
