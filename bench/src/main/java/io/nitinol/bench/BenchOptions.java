// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of the command line.
 *
 * @param quick whether to end within a minute
 * @param json where figures are kept; null for nowhere
 * @param only the names of the cases to measure; empty for all
 */
public record BenchOptions(boolean quick, @Nullable Path json, List<String> only) {

  /**
   * Reads the command line; ends the process where it asks for help, with status 0, and where it is
   * not understood, with status 2.
   */
  public static BenchOptions parse(String bench, String[] arguments) {
    return parse(bench, arguments, List.of());
  }

  /**
   * Reads the command line of a benchmark that can measure some of its cases; otherwise as {@link
   * #parse(String, String[])}.
   *
   * @param cases the names of all
   */
  public static BenchOptions parse(String bench, String[] arguments, List<String> cases) {
    List<String> given = new ArrayList<>(List.of(arguments));
    String usage =
        "usage: bench/%s [--quick] [--json FILE]%s"
            .formatted(bench, cases.isEmpty() ? "" : " [--only CASE,...]");
    if (given.contains("--help")) {
      System.out.println(usage);
      System.out.println("  --quick      ends within a minute");
      System.out.println("  --json FILE  keeps the figures");
      if (!cases.isEmpty()) {
        System.out.println("  --only ...   measures some of: " + String.join(",", cases));
      }
      System.exit(0);
    }
    boolean quick = given.remove("--quick");
    String file = take(given, "--json");
    Path json = file == null ? null : Path.of(file);
    String names = cases.isEmpty() ? null : take(given, "--only");
    List<String> only = names == null ? List.of() : List.of(names.split(",", -1));
    if (!cases.containsAll(only)) {
      given.addAll(List.of("--only", String.join(",", only)));
    }
    if (!given.isEmpty()) {
      System.err.println(usage + "; not understood: " + given);
      System.exit(2);
    }
    return new BenchOptions(quick, json, only);
  }

  /** Takes an option and its value out of a command line; null where it is not there. */
  public static @Nullable String take(List<String> arguments, String option) {
    int at = arguments.indexOf(option);
    if (at < 0 || at + 1 >= arguments.size()) {
      return null;
    }
    arguments.remove(at);
    return arguments.remove(at);
  }
}
