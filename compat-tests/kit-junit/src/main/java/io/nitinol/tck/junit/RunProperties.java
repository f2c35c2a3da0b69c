// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.junit;

import io.nitinol.tck.KitOptions;
import io.nitinol.tck.report.HtmlReport;
import io.nitinol.tck.report.JsonReport;
import io.nitinol.tck.result.KitReport;
import io.nitinol.tck.spec.Spec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The system properties that steer a run from a build's command line. */
final class RunProperties {
  private static final String MODE = "nitinol.tck.mode";
  private static final String SEED = "nitinol.tck.seed";
  private static final String RULES = "nitinol.tck.rules";
  private static final String LANES = "nitinol.tck.lanes";
  private static final String PATIENCE = "nitinol.tck.patience";
  private static final String REPORT = "nitinol.tck.report";

  private RunProperties() {}

  /**
   * Returns the options that the properties ask for.
   *
   * @throws IllegalArgumentException when one has a value that it cannot have
   */
  static KitOptions options() {
    KitOptions options = KitOptions.quick();
    String mode = System.getProperty(MODE, "quick");
    options =
        switch (mode) {
          case "quick" -> options;
          case "full" -> options.inFull();
          default ->
              throw new IllegalArgumentException(MODE + " is " + mode + ": expected quick or full");
        };
    String seed = System.getProperty(SEED);
    if (seed != null) {
      try {
        options = options.withSeed(Long.parseLong(seed.strip()));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(SEED + " is " + seed + ": expected a number", e);
      }
    }
    Set<String> rules = list(RULES);
    for (String rule : rules) {
      if (Spec.current().find(rule) == null) {
        throw new IllegalArgumentException(
            RULES + " names " + rule + ": expected ids of rules such as NET-SEND-04, with commas");
      }
    }
    return options.only(rules).onLanes(list(LANES)).withPatience(patience());
  }

  private static Duration patience() {
    String seconds = System.getProperty(PATIENCE);
    if (seconds == null) {
      return KitOptions.measuredPatience();
    }
    try {
      return Duration.ofSeconds(Long.parseLong(seconds.strip()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          PATIENCE + " is " + seconds + ": expected a number of seconds", e);
    }
  }

  /** Writes the reports into the directory that the property names. */
  static void report(KitReport report) {
    String directory = System.getProperty(REPORT);
    if (directory == null) {
      return;
    }
    try {
      Path target = Files.createDirectories(Path.of(directory));
      HtmlReport.write(report, target.resolve("tck-" + report.plugin() + ".html"));
      JsonReport.write(report, target.resolve("tck-" + report.plugin() + ".json"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the reports that " + REPORT + " asks for", e);
    }
  }

  private static Set<String> list(String property) {
    return Arrays.stream(System.getProperty(property, "").split(",", -1))
        .map(String::strip)
        .filter(element -> !element.isEmpty())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
