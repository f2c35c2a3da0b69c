// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.init;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a process holds.
 *
 * @param kibibytes its memory; of pages that several processes map, its part (Linux calls it PSS)
 * @param threads how many it has, those of the JVM too
 * @param descriptors how many are open
 */
record Holding(long kibibytes, int threads, int descriptors) {
  private static final String MEMORY = "Pss:";

  static Holding ofThisProcess() throws IOException {
    return new Holding(memory(), count("/proc/self/task"), count("/proc/self/fd"));
  }

  private static long memory() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps_rollup"))) {
      if (line.startsWith(MEMORY)) {
        return Long.parseLong(line.substring(MEMORY.length()).replace("kB", "").strip());
      }
    }
    throw new IOException("/proc/self/smaps_rollup has no line " + MEMORY);
  }

  private static int count(String directory) throws IOException {
    try (Stream<Path> all = Files.list(Path.of(directory))) {
      return (int) all.count();
    }
  }

  /** Returns a line for {@link #parse}. */
  String line() {
    return "holds %d %d %d".formatted(kibibytes, threads, descriptors);
  }

  static Holding parse(String line) {
    String[] words = line.split(" ", -1);
    return new Holding(
        Long.parseLong(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
  }
}
