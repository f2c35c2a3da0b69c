// SPDX-License-Identifier: Apache-2.0
package io.nitinol.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs stress tests in processes of their own, and reads what they have found. */
final class StressRun {
  /**
   * C2 alone, so that it compiles early, and with random choices wherever its passes may choose:
   * these reorder what the source leaves open on any processor. The collector is the one whose
   * write barriers order least.
   */
  static final String C2 =
      "-XX:+UseSerialGC -XX:-TieredCompilation -XX:+UnlockDiagnosticVMOptions -XX:+StressLCM"
          + " -XX:+StressGCM -XX:+StressIGVN -XX:+StressCCP";

  static final String C1 = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";

  private static final String ALWAYS =
      " --add-opens=java.base/java.lang=ALL-UNNAMED --enable-native-access=ALL-UNNAMED"
          + " --sun-misc-unsafe-memory-access=allow";

  private static final Pattern FAILED = Pattern.compile("\\[(?:FAILED|ERROR)] ([\\w.]+)");
  private static final Pattern PASSED =
      Pattern.compile("\\(Results: (\\d+) planned; (\\d+) passed, 0 failed, 0 soft errs, 0 hard");

  /**
   * What has come of a run.
   *
   * @param status of the process
   * @param planned how many results there were to be
   * @param passed how many passed, 0 unless all did
   * @param failed the tests that saw something forbidden, or could not run
   * @param told everything that was printed
   */
  record Found(int status, int planned, int passed, TreeSet<String> failed, String told) {}

  private StressRun() {}

  /** Returns the class path of the tests. */
  static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /**
   * Runs tests.
   *
   * @param classPath where classes are sought
   * @param jvm the options of their JVMs, or null for all that the harness knows, and all pairs of
   *     compilers
   * @param arguments of the harness
   */
  static Found run(String classPath, String jvm, List<String> arguments)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("nitinol-stress");
    try {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
      command.addAll(List.of(ALWAYS.strip().split(" ")));
      command.addAll(List.of("-cp", classPath, "org.openjdk.jcstress.Main"));
      command.addAll(List.of("-r", directory.toString(), "-hs", "256"));
      if (jvm == null) {
        command.addAll(List.of("-jvmArgsPrepend", ALWAYS.strip()));
      } else {
        command.addAll(List.of("-sc", "false", "-jvmArgs", jvm + ALWAYS));
      }
      command.addAll(arguments);
      Path log = directory.resolve("log");
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        process.waitFor();
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
      return read(process.waitFor(), Files.readString(log));
    } finally {
      remove(directory);
    }
  }

  private static Found read(int status, String told) {
    TreeSet<String> failed = new TreeSet<>();
    Matcher each = FAILED.matcher(told);
    while (each.find()) {
      failed.add(each.group(1));
    }
    int planned = 0;
    int passed = 0;
    Matcher count = PASSED.matcher(told);
    while (count.find()) {
      planned = Integer.parseInt(count.group(1));
      passed = Integer.parseInt(count.group(2));
    }
    return new Found(status, planned, passed, failed, told);
  }

  /** Removes a directory of this run with all that is in it. */
  static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The long run: the arguments are those of jcstress; its own modes and pairs of compilers. */
  public static void main(String[] arguments) throws Exception {
    Found found = run(classPath(), null, List.of(arguments));
    System.out.println(found.told());
    System.exit(found.status());
  }
}
