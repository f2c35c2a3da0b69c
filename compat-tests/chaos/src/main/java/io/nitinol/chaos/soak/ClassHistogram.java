// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many live objects of each class there are, so that a heap that grows can be explained. */
record ClassHistogram(Map<String, Row> rows) {
  /** Instances of a class and their bytes. */
  record Row(long instances, long bytes) {}

  /** Bytes of all objects of a class below which they explain no growth. */
  private static final long LEAST = 4096;

  private static final Pattern ROW = Pattern.compile("(?m)^ *\\d+: +(\\d+) +(\\d+) +(\\S+)");
  private static final Row NONE = new Row(0, 0);

  /** Counts the live objects of this process. */
  static ClassHistogram now() {
    return parse(DiagnosticCommand.run("gcClassHistogram"));
  }

  static ClassHistogram parse(String text) {
    Map<String, Row> rows = new TreeMap<>();
    Matcher row = ROW.matcher(text);
    while (row.find()) {
      long bytes = Long.parseLong(row.group(2));
      if (bytes >= LEAST) {
        rows.put(row.group(3), new Row(Long.parseLong(row.group(1)), bytes));
      }
    }
    return new ClassHistogram(rows);
  }

  /** Returns a line for each of the {@code most} classes that take more bytes than before. */
  List<String> grownSince(ClassHistogram before, int most) {
    Map<String, Row> more = new TreeMap<>();
    rows.forEach((name, row) -> {
      Row old = before.rows.getOrDefault(name, NONE);
      if (row.bytes > old.bytes) {
        more.put(name, new Row(row.instances - old.instances, row.bytes - old.bytes));
      }
    });
    return more.entrySet().stream()
        .sorted(Comparator.comparingLong(each -> -each.getValue().bytes))
        .limit(most)
        .map(each ->
            "%+d bytes, %+d objects of %s"
                .formatted(each.getValue().bytes, each.getValue().instances, each.getKey()))
        .toList();
  }
}
