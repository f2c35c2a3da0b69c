// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resources that a process holds at a moment at which its ranks are between two programs, so
 * that footprints of the same job can be compared.
 *
 * @param minute when it was taken, since the process began
 * @param figures by name: the constants of this class, and below {@code nmt.}, {@code rss.}, {@code
 *     fd.} and {@code thread.} the parts that explain them; memory in KiB
 */
record Footprint(double minute, SortedMap<String, Long> figures) {
  /** Resident memory as Linux counts it, all of it. */
  static final String RESIDENT = "resident";

  /** The same without files' pages and without what the JVM has committed for itself. */
  static final String RESIDENT_OF_RANKS = "resident-of-ranks";

  /** Objects that are left after a collection of the whole heap. */
  static final String HEAP = "heap";

  /** All that the JVM's Native Memory Tracking counts as committed. */
  static final String NATIVE = "native";

  /** The same without the Java heap and without what the JVM has committed for itself. */
  static final String NATIVE_OF_RANKS = "native-of-ranks";

  /** Open file descriptors. */
  static final String DESCRIPTORS = "descriptors";

  /** Threads of every kind, those of the JVM included. */
  static final String THREADS = "threads";

  /**
   * Communicators that the first rank of the process has made and closed; splits that it is not in
   * are not counted.
   */
  static final String COMMUNICATORS = "communicators";

  /** Random programs that the first rank of the process has run. */
  static final String PASSES = "passes";

  /** The beginning of the names of categories of native memory. */
  static final String NMT = "nmt.";

  /** How long threads that have been told to end, and cleaners, may take to be gone. */
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private static final Path SELF = Path.of("/proc/self");
  private static final Pattern CATEGORY =
      Pattern.compile("(?m)^-? *([A-Z][A-Za-z. ]*) \\(reserved=\\d+KB, committed=(\\d+)KB\\)?");
  private static final Pattern TOTAL =
      Pattern.compile("(?m)^Total: reserved=\\d+KB, committed=(\\d+)KB");

  private static final String JAVA_HEAP = "Java Heap";

  /** Grow with what the JVM has compiled and seen, and not with what the ranks hold. */
  private static final List<String> OF_THE_JVM =
      List.of(
          "Class",
          "Metaspace",
          "Code",
          "Compiler",
          "Arena Chunk",
          "Symbol",
          "Native Memory Tracking",
          "Object Monitors", // of which the JVM frees those that are not used once a minute
          "Synchronization",
          "Shared class space",
          "GC");

  /**
   * Collects the garbage, gives free memory back to the kernel, and measures this process, whose
   * JVM needs {@code -XX:NativeMemoryTracking=summary}.
   */
  static Footprint now(double minute, long communicators, long passes) throws IOException {
    System.gc();
    LockSupport.parkNanos(SETTLE_NANOS);
    System.gc(); // what the cleaners have let go
    Runtime runtime = Runtime.getRuntime();
    long heap = (runtime.totalMemory() - runtime.freeMemory()) / 1024;
    DiagnosticCommand.run("systemTrimNativeHeap");
    SortedMap<String, Long> figures =
        new TreeMap<>(nativeMemory(DiagnosticCommand.run("vmNativeMemory", "summary")));
    figures.put(HEAP, heap);
    figures.put(COMMUNICATORS, communicators);
    figures.put(PASSES, passes);
    addMemory(figures, Files.readString(SELF.resolve("status")));
    addDescriptors(figures);
    addThreads(figures);
    return new Footprint(minute, figures);
  }

  /**
   * Adds what {@code /proc/self/status} tells of memory to {@code figures}, which have those of
   * native memory.
   */
  static void addMemory(Map<String, Long> figures, String status) {
    figures.put(RESIDENT, figure(status, "VmRSS:"));
    for (String part : List.of("RssAnon", "RssFile", "RssShmem")) {
      figures.put("rss." + part, figure(status, part + ":"));
    }
    long ofTheJvm = 0;
    for (String category : OF_THE_JVM) {
      ofTheJvm += figures.getOrDefault(nmt(category), 0L);
    }
    long without = figure(status, "RssAnon:") + figure(status, "RssShmem:") - ofTheJvm;
    figures.put(RESIDENT_OF_RANKS, Math.max(0, without)); // not all of it may have been touched
  }

  private static long figure(String status, String name) {
    Matcher figure = Pattern.compile("(?m)^" + name + "\\s+(\\d+)").matcher(status);
    if (!figure.find()) {
      throw new IllegalStateException(SELF + "/status has no " + name);
    }
    return Long.parseLong(figure.group(1));
  }

  private static void addDescriptors(Map<String, Long> figures) throws IOException {
    long all = -1; // listing them takes one
    try (Stream<Path> descriptors = Files.list(SELF.resolve("fd"))) {
      for (Path each : descriptors.toList()) {
        figures.merge("fd." + word(target(each)), 1L, Long::sum);
        all++;
      }
    }
    figures.put(DESCRIPTORS, all);
  }

  private static String target(Path link) throws IOException {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (NoSuchFileException e) {
      return "gone";
    }
  }

  private static void addThreads(Map<String, Long> figures) throws IOException {
    long all = 0;
    try (Stream<Path> tasks = Files.list(SELF.resolve("task"))) {
      for (Path each : tasks.toList()) {
        String name = threadName(each);
        if (!name.isEmpty()) {
          figures.merge("thread." + word(name), 1L, Long::sum);
          all++;
        }
      }
    }
    figures.put(THREADS, all);
  }

  /** Returns a thread's name; empty where it has ended meanwhile. */
  private static String threadName(Path task) {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Returns a name without numbers and spaces, so that equal things have equal names. */
  private static String word(String name) {
    return name.replaceAll("\\d+", "n").replaceAll("[\\s=]+", "_");
  }

  private static String nmt(String category) {
    return NMT + word(category);
  }

  /** Returns the figures of a summary of native memory. */
  static SortedMap<String, Long> nativeMemory(String summary) {
    SortedMap<String, Long> figures = new TreeMap<>();
    Matcher total = TOTAL.matcher(summary);
    if (!total.find()) {
      throw new IllegalStateException("not a summary of native memory: " + summary);
    }
    figures.put(NATIVE, Long.parseLong(total.group(1)));
    long ofRanks = 0;
    Matcher category = CATEGORY.matcher(summary);
    while (category.find()) {
      String name = category.group(1).strip();
      long committed = Long.parseLong(category.group(2));
      figures.put(nmt(name), committed);
      if (!name.equals(JAVA_HEAP) && !OF_THE_JVM.contains(name)) {
        ofRanks += committed;
      }
    }
    figures.put(NATIVE_OF_RANKS, ofRanks);
    return figures;
  }

  /** Returns a figure by its name; 0 where there is none of it. */
  long of(String name) {
    return figures.getOrDefault(name, 0L);
  }

  /** Returns this as a line that {@link #parse} reads. */
  String line() {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%.2f", minute));
    figures.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    return line.toString();
  }

  static Footprint parse(String line) {
    String[] words = line.split(" ", -1);
    SortedMap<String, Long> figures = new TreeMap<>();
    for (String word : List.of(words).subList(1, words.length)) {
      int sign = word.lastIndexOf('=');
      figures.put(word.substring(0, sign), Long.parseLong(word.substring(sign + 1)));
    }
    return new Footprint(Double.parseDouble(words[0]), figures);
  }
}
