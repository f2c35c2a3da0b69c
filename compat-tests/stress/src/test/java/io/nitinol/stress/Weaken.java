// SPDX-License-Identifier: Apache-2.0
package io.nitinol.stress;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/**
 * Makes one access after the other weaker, in a copy of its class, and prints what notices it: a
 * table in Markdown. The arguments are parts of names of accesses; without any it takes all.
 */
public final class Weaken {
  private static final List<String> ARGUMENTS =
      List.of("-f", "1", "-fsm", "1", "-iters", "2", "-time", "200");

  /** A test that does not notice it has so many runs, each compiled in another random order. */
  private static final int RUNS = Integer.getInteger("nitinol.weaken.runs", 3);

  private Weaken() {}

  public static void main(String[] arguments) throws Exception {
    List<String> checker = Litmus.checker();
    System.out.printf(
        "On %s, Java %s, %d runs of each test%s%n%n",
        System.getProperty("os.arch"),
        Runtime.version(),
        RUNS,
        checker.isEmpty() ? "; herd7 is not installed" : "");
    System.out.println("| access | made | by the compiler's stress | litmus, ARM | litmus, Java |");
    System.out.println("|---|---|---|---|---|");
    int weakened = 0;
    int noticed = 0;
    for (Access access : Access.all()) {
      if (access.isOrdered() && isWanted(access, arguments)) {
        String stress = stress(access);
        String arm = litmus(checker, access, false);
        String java = litmus(checker, access, true);
        System.out.printf(
            "| %s | `%s` | %s | %s | %s |%n",
            access.at(), access.weak().replace("|", "\\|"), stress, arm, java);
        weakened++;
        noticed += stress.contains("Stress") || (arm + java).contains("noticed") ? 1 : 0;
      }
    }
    System.out.printf("%n%d accesses made weaker, %d noticed.%n", weakened, noticed);
  }

  private static boolean isWanted(Access access, String[] arguments) {
    for (String argument : arguments) {
      if (access.at().contains(argument)) {
        return true;
      }
    }
    return arguments.length == 0;
  }

  private static String stress(Access access) throws IOException, InterruptedException {
    if (access.by().isEmpty()) {
      return "no test";
    }
    Path classes = Files.createTempDirectory("nitinol-weaker");
    try {
      compile(access, classes);
      String tests = access.by().stream().collect(Collectors.joining("|", "\\.(", ")\\."));
      List<String> arguments = new ArrayList<>(ARGUMENTS);
      arguments.addAll(List.of("-t", tests));
      for (int run = 1; run <= RUNS; run++) {
        StressRun.Found found =
            StressRun.run(
                classes + File.pathSeparator + StressRun.classPath(), StressRun.C2, arguments);
        if (!found.failed().isEmpty()) {
          return found.failed().stream()
              .map(name -> name.replaceAll(".*\\.(\\w+\\.\\w+)$", "$1"))
              .collect(Collectors.joining(", "));
        }
        if (found.status() != 0 || found.planned() == 0 || found.passed() != found.planned()) {
          throw new IOException(access.at() + ": " + found.told());
        }
      }
      return "-";
    } finally {
      StressRun.remove(classes);
    }
  }

  private static void compile(Access access, Path classes) throws IOException {
    Path source = access.source();
    String text = Files.readString(source);
    if (!text.contains(access.is())) {
      throw new IOException(source + " does not have " + access.is());
    }
    Path copy = classes.resolve(source.getFileName());
    Files.writeString(copy, text.replace(access.is(), access.weak()));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-nowarn",
                "-Xlint:none",
                "-proc:none",
                "-cp",
                StressRun.classPath(),
                "-d",
                classes.toString(),
                copy.toString());
    if (status != 0) {
      throw new IOException(access.at() + ": " + access.weak() + " does not compile");
    }
  }

  private static String litmus(List<String> checker, Access access, boolean java)
      throws IOException, InterruptedException {
    List<String> found = new ArrayList<>();
    for (Access.InLitmus place : access.litmus()) {
      Litmus test = Litmus.named(place.test());
      if (place.test().endsWith("-java") == java) {
        String result =
            checker.isEmpty() ? "?" : test.canBe(checker, test.weaker(place)) ? "noticed" : "never";
        found.add(result + " (" + place.test() + ")");
      }
    }
    return found.isEmpty() ? "-" : String.join(", ", found);
  }
}
