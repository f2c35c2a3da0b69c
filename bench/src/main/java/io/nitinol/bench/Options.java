// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param quick whether to end within a minute
 * @param json where figures are kept; null for nowhere
 */
public record Options(boolean quick, @Nullable Path json) {

  /**
   * Reads the command line; ends the process where it asks for help, with status 0, and where it is
   * not understood, with status 2.
   */
  public static Options parse(String bench, String[] arguments) {
    List<String> given = new ArrayList<>(List.of(arguments));
    String usage = "usage: bench/" + bench + " [--quick] [--json FILE]";
    if (given.contains("--help")) {
      System.out.println(usage);
      System.out.println("  --quick      ends within a minute");
      System.out.println("  --json FILE  keeps the figures");
      System.exit(0);
    }
    boolean quick = given.remove("--quick");
    Path json = null;
    int at = given.indexOf("--json");
    if (at >= 0 && at + 1 < given.size()) {
      json = Path.of(given.get(at + 1));
      given.subList(at, at + 2).clear();
    }
    if (!given.isEmpty()) {
      System.err.println(usage + "; not understood: " + given);
      System.exit(2);
    }
    return new Options(quick, json);
  }
}
