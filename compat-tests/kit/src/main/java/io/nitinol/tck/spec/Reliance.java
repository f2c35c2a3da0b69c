// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which programs rely on a rule: Nitinol relies on all, and NCCL on those that its calls need. The
 * table beside this class says since which release, and why.
 */
public final class Reliance {
  private static final String RESOURCE = "/io/nitinol/tck/reliance.tsv";

  /**
   * A line of the table.
   *
   * @param except the tests that look at a part of the rule on which NCCL does not rely
   */
  record Row(String since, String why, Set<String> except) {}

  private static final class Packed {
    static final Map<String, Row> ROWS = read();
  }

  private Reliance() {}

  /** Returns whether this release of NCCL relies on a rule. */
  public static boolean isOf(NcclRelease release, String rule) {
    Row row = Packed.ROWS.get(rule);
    return row != null && release.isSince(row.since());
  }

  /** Returns whether this release of NCCL relies on the part of a rule that a test looks at. */
  public static boolean isOf(NcclRelease release, String rule, String test) {
    return isOf(release, rule) && !except(rule).contains(test);
  }

  /** Returns in words which programs rely on a rule, for lists. */
  public static String words(String rule) {
    Row row = Packed.ROWS.get(rule);
    return row == null
        ? "Nitinol alone"
        : "NCCL since " + row.since() + " and Nitinol: " + row.why();
  }

  /** The same of the parts of a rule that these tests look at, none of which may be excepted. */
  public static String words(String rule, Collection<String> tests) {
    Row row = Packed.ROWS.get(rule);
    boolean excepted = row != null && !tests.isEmpty() && row.except().containsAll(tests);
    return excepted ? "Nitinol alone, as far as it is broken" : words(rule);
  }

  /** Returns the tests that are excepted for a rule. */
  static Set<String> except(String rule) {
    Row row = Packed.ROWS.get(rule);
    return row == null ? Set.of() : row.except();
  }

  /** Returns the rules on which some release of NCCL relies, with the first such release. */
  static Map<String, String> since() {
    Map<String, String> since = new LinkedHashMap<>();
    Packed.ROWS.forEach((rule, row) -> since.put(rule, row.since()));
    return since;
  }

  private static Map<String, Row> read() {
    try (InputStream in = Reliance.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the kit's jar");
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RESOURCE, e);
    }
  }

  /**
   * Reads the table.
   *
   * @throws IllegalArgumentException when a line has not three or four columns, or a rule is there
   *     twice
   */
  static Map<String, Row> parse(String text) {
    Map<String, Row> rows = new LinkedHashMap<>();
    for (String line : text.split("\n", -1)) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String[] columns = line.split("\t", -1);
      Set<String> except = columns.length == 4 ? Set.of(columns[3].split(" ", -1)) : Set.of();
      if (columns.length < 3
          || columns.length > 4
          || rows.put(columns[0], new Row(columns[1], columns[2], except)) != null) {
        throw new IllegalArgumentException(
            RESOURCE
                + ": expected a rule, a release, why, and tests if any, once for a rule: "
                + line);
      }
    }
    return rows;
  }
}
