// SPDX-License-Identifier: Apache-2.0
package io.nitinol.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An access of {@code accesses.txt}, which says what the fields mean.
 *
 * @param at class and method
 * @param is the source text
 * @param weak what takes its place when it is weakened; "-" for none
 * @param times how often the text is there, 1 but for a few
 * @param by the stress tests in which it is weakened, by their simple names
 * @param litmus where it is in litmus tests
 */
record Access(
    String at, String is, String weak, int times, List<String> by, List<InLitmus> litmus) {
  static final Path ROOT = Path.of(System.getProperty("nitinol.root", "../.."));
  static final Path HOME = ROOT.resolve("compat-tests/stress");

  /**
   * An access in a litmus test.
   *
   * @param test the test's name
   * @param thread its thread, from 0
   * @param text what stands there: an instruction, or the beginning of a statement
   * @param never whether its forbidden outcome is one even if this is weaker
   */
  record InLitmus(String test, int thread, String text, boolean never) {
    static InLitmus of(String line) {
      boolean never = line.endsWith(" never");
      String[] words = (never ? line.substring(0, line.length() - 6) : line).split(" ", 3);
      return new InLitmus(words[0], Integer.parseInt(words[1].substring(1)), words[2], never);
    }

    @Override
    public String toString() {
      return test + " P" + thread + " " + text;
    }
  }

  /** Reads them all. */
  static List<Access> all() throws IOException {
    List<Access> found = new ArrayList<>();
    Map<String, List<String>> fields = new TreeMap<>();
    List<String> lines = new ArrayList<>(Files.readAllLines(HOME.resolve("accesses.txt")));
    lines.add("");
    for (String line : lines) {
      if (line.isEmpty()) {
        if (!fields.isEmpty()) {
          found.add(of(fields));
          fields.clear();
        }
      } else if (!line.startsWith("#")) {
        String[] pair = line.split(" +", 2);
        fields.computeIfAbsent(pair[0], any -> new ArrayList<>()).add(pair[1]);
      }
    }
    return found;
  }

  private static Access of(Map<String, List<String>> fields) {
    List<InLitmus> litmus = new ArrayList<>();
    for (String kind : List.of("arm", "java")) {
      fields.getOrDefault(kind, List.of()).forEach(line -> litmus.add(InLitmus.of(line)));
    }
    for (String needed : List.of("at", "is", "weak", "orders")) {
      if (!fields.containsKey(needed)) {
        throw new IllegalArgumentException(needed + " is missing in " + fields);
      }
    }
    return new Access(
        fields.get("at").getFirst(),
        fields.get("is").getFirst().replace("\\n", "\n"),
        fields.get("weak").getFirst(),
        Integer.parseInt(fields.getOrDefault("times", List.of("1")).getFirst()),
        fields.containsKey("by") ? List.of(fields.get("by").getFirst().split(" ")) : List.of(),
        List.copyOf(litmus));
  }

  /** Returns whether there is something to weaken. */
  boolean isOrdered() {
    return !weak.equals("-");
  }

  /** Returns the simple name of its class. */
  String type() {
    return at.split("[., ]")[0];
  }

  /** Returns the source file of its class. */
  Path source() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path file : Sources.files()) {
      if (file.getFileName().toString().equals(type() + ".java")) {
        found.add(file);
      }
    }
    if (found.size() != 1) {
      throw new IllegalArgumentException(at + " is in " + found);
    }
    return found.getFirst();
  }
}
