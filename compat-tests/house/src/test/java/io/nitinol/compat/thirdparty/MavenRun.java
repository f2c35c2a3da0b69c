// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.thirdparty;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Maven of this build, run once more on a project outside it: offline, with a local repository
 * of its own behind which stands, read only, the one that this build has filled.
 *
 * @param status the exit status, 0 where the project's tests pass
 * @param output what it printed
 */
record MavenRun(int status, String output) {
  private static final Duration KILLED = Duration.ofSeconds(10);
  private static final Pattern TALLY =
      Pattern.compile("Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+)$");

  /**
   * Runs {@code mvn test}.
   *
   * @param maven where the Maven lies that runs this build
   * @param project the directory of the pom.xml
   * @param repository the project's local repository, which holds what is to be tested
   * @param behind the local repository of this build
   * @param limit when the run and all that it started are killed
   */
  static MavenRun test(
      Path maven, Path project, Path repository, Path behind, Duration limit, String... options)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("--offline"));
    arguments.addAll(List.of(options));
    arguments.add("test");
    return run(maven, project, repository, behind, limit, arguments);
  }

  /**
   * Runs Maven. Without {@code --offline} among the arguments it fetches what both repositories
   * lack.
   *
   * @param directory where it runs; the parameters are those of {@link #test}
   */
  static MavenRun run(
      Path maven,
      Path directory,
      Path repository,
      Path behind,
      Duration limit,
      List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(maven.resolve("bin/mvn").toString(), "-B", "-ntp"));
    command.add("-Dmaven.repo.local=" + repository);
    command.add("-Dmaven.repo.local.tail=" + behind);
    command.addAll(arguments);
    Path log = directory.resolve("maven.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    // What the Maven around this test was told is not for the one inside.
    builder.environment().keySet().removeIf(name -> name.startsWith("MAVEN_"));
    builder.environment().keySet().removeIf(name -> name.matches("(NCCL|NITINOL)_.*"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("NCCL_SOCKET_IFNAME", "lo");
    // The kit waits for connections that must fail; with the usual limit it does so elsewhere.
    builder.environment().put("NITINOL_SOCKET_CONNECT_MSEC", "4000");
    Process process = builder.start();
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(
            "not done within " + limit.toSeconds() + " s: " + command + "\n" + read(log));
      }
      return new MavenRun(process.exitValue(), read(log));
    } finally {
      List<ProcessHandle> started = new ArrayList<>(process.descendants().toList());
      started.add(process.toHandle());
      started.forEach(ProcessHandle::destroyForcibly);
      process.waitFor(KILLED.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Returns tests run, failures, errors, skipped, as Maven sums them up in its last such line. */
  List<Integer> tally() {
    List<Integer> last = List.of();
    for (String line : output.lines().toList()) {
      Matcher matcher = TALLY.matcher(line);
      if (matcher.find()) {
        last = Stream.of(1, 2, 3, 4).map(matcher::group).map(Integer::parseInt).toList();
      }
    }
    if (last.isEmpty()) {
      throw new AssertionError("no line sums up the tests in " + output);
    }
    return last;
  }

  private static String read(Path log) throws IOException {
    return Files.readString(log);
  }
}
