// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the tests take in a quick run on two idle cores, for the plugins of this repository. The
 * table has those that take longest; each other test takes the {@linkplain #of default} of its
 * placement.
 */
public final class ExpectedTimes {
  private static final String RESOURCE = "/io/nitinol/tck/expected-times.tsv";
  private static final Duration SHARED = Duration.ofMillis(10);
  private static final Duration PROCESS = Duration.ofMillis(1_500);

  private static final class Packed {
    static final Map<String, Duration> BY_NAME = read();
  }

  private ExpectedTimes() {}

  /**
   * Returns what a test takes; of one that waits beside the others, what it takes from them.
   *
   * @param times how many times longer than usual it takes where it is not the start of a process
   *     that counts
   */
  public static Duration of(RuleCase test, int times) {
    return switch (test.terms().in()) {
      case SHARED, FRESH -> Packed.BY_NAME.getOrDefault(test.name(), SHARED).multipliedBy(times);
      case PROCESS -> Packed.BY_NAME.getOrDefault(test.name(), PROCESS);
      case PROCESS_WAITING -> PROCESS;
    };
  }

  /** Returns the table, by the names of tests. */
  static Map<String, Duration> table() {
    return Packed.BY_NAME;
  }

  private static Map<String, Duration> read() {
    try (InputStream in = ExpectedTimes.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the kit's jar");
      }
      Map<String, Duration> times = new LinkedHashMap<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        String[] columns = line.split("\t", -1);
        if (columns.length == 2 && !line.startsWith("#")) {
          times.put(columns[0], Duration.ofMillis(Long.parseLong(columns[1])));
        }
      }
      return times;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RESOURCE, e);
    }
  }
}
