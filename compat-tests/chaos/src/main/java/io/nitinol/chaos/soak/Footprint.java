// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What a process holds, and what it has done until then.
 *
 * @param residentKib memory in use, as Linux counts it, in KiB
 * @param nativeKib what the JVM's Native Memory Tracking counts as committed, in KiB, without the
 *     Java heap, without what the JVM compiles and loads, and without the tracking itself
 * @param descriptors open file descriptors
 * @param threads threads of every kind
 * @param communicators how many communicators rank 0 of the process has made and closed; splits
 *     that it is not in are not counted
 * @param passes how many random programs it has run
 */
record Footprint(
    long residentKib,
    long nativeKib,
    int descriptors,
    int threads,
    long communicators,
    long passes) {
  private static final Path SELF = Path.of("/proc/self");
  private static final Pattern CATEGORY =
      Pattern.compile("(?m)^-? *([A-Z][A-Za-z. ]*) \\(reserved=\\d+KB, committed=(\\d+)KB\\)?");

  /** Grow with what the JVM has compiled and seen, and not with what the ranks hold. */
  private static final List<String> OF_THE_JVM =
      List.of(
          "Java Heap",
          "Class",
          "Metaspace",
          "Code",
          "Compiler",
          "Arena Chunk",
          "Symbol",
          "Native Memory Tracking",
          "Shared class space",
          "GC");

  /** Measures this process, whose JVM needs {@code -XX:NativeMemoryTracking=summary}. */
  static Footprint now(long communicators, long passes) throws IOException {
    String status = Files.readString(SELF.resolve("status"));
    try (Stream<Path> descriptors = Files.list(SELF.resolve("fd"))) {
      return new Footprint(
          figure(status, "VmRSS:"),
          ofRanks(nativeSummary()),
          (int) descriptors.count() - 1,
          (int) figure(status, "Threads:"),
          communicators,
          passes);
    }
  }

  private static long figure(String status, String name) {
    Matcher figure = Pattern.compile(name + "\\s+(\\d+)").matcher(status);
    if (!figure.find()) {
      throw new IllegalStateException(SELF + "/status has no " + name);
    }
    return Long.parseLong(figure.group(1));
  }

  private static String nativeSummary() {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "vmNativeMemory",
                  new Object[] {new String[] {"summary"}},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException("the JVM does not tell its native memory", e);
    }
  }

  /** Returns the sum of the categories that ranks can make grow, in KiB. */
  static long ofRanks(String summary) {
    long sum = 0;
    Matcher category = CATEGORY.matcher(summary);
    boolean found = false;
    while (category.find()) {
      found = true;
      String name = category.group(1).strip();
      if (!OF_THE_JVM.contains(name)) {
        sum += Long.parseLong(category.group(2));
      }
    }
    if (!found) {
      throw new IllegalStateException("not a summary of native memory: " + summary);
    }
    return sum;
  }

  /** Returns this as a line that {@link #parse} reads. */
  String line() {
    return "%d %d %d %d %d %d"
        .formatted(residentKib, nativeKib, descriptors, threads, communicators, passes);
  }

  static Footprint parse(String line) {
    String[] words = line.split(" ", -1);
    return new Footprint(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]),
        Long.parseLong(words[4]),
        Long.parseLong(words[5]));
  }
}
