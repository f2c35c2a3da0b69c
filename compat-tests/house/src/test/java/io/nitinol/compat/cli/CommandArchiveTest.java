// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandArchiveTest {
  private static final long LIMIT_SECONDS = 60;
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  /** Or every test of the command would take its time without a sign. */
  @Test
  void theCommandLoadsItsClassesFromTheArchive(@TempDir Path directory) throws Exception {
    assumeThat(CommandArchive.canBeOf(System.getProperty("nitinol.module.path", "")))
        .as("all of the module path are jars; \"mvn test\" has directories, of which is no archive")
        .isTrue();
    Path log = directory.resolve("classes.txt");
    try (CommandProcess command = CommandProcess.start(logging(log), "--version")) {
      assertThat(command.exit()).as("%s", command).isZero();
      assertThat(command.toString()).contains(CommandArchive.USE);
    }
    assertThatMainIsOfTheArchive(log);
  }

  /** So do the ranks that have the class path of the tests, with its directories at the end. */
  @Test
  void aRankOnTheClassPathDoesSoToo(@TempDir Path directory) throws Exception {
    List<String> command = ClassPathJvm.command("128m", directory);
    assumeThat(command)
        .as("all modules are jars, as they are not under \"mvn test\"")
        .anyMatch(word -> word.startsWith(CommandArchive.USE));
    Path log = directory.resolve("classes.txt");
    command.addAll(List.of("io.nitinol.cli.Main", "--version"));
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().putAll(logging(log));
    assertThat(CommandArchive.run(builder)).as("%s", command).isTrue();
    assertThatMainIsOfTheArchive(log);
  }

  private static Map<String, String> logging(Path log) {
    return Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load=info:file=" + log + "::filecount=0");
  }

  private static void assertThatMainIsOfTheArchive(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      assertThat(lines.filter(line -> line.contains("io.nitinol.cli.Main ")))
          .hasSize(1)
          .allMatch(line -> line.contains("source: shared objects file (top)"));
    }
  }

  @Test
  void whatCannotBeMadeIsTriedOnce(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("no.jsa");
    List<String> broken = List.of("-XX:NoSuchOption");
    assertThat(CommandArchive.JOB.isThere(file, JAVA, broken)).isFalse();
    assertThat(directory.resolve("no.jsa" + CommandArchive.FAILED)).exists();
    Path none = directory.resolve("there is no such JVM");
    assertThat(CommandArchive.JOB.isThere(file, none, broken)).isFalse(); // and starts none
  }

  @Test
  void noProcessIsLeftWhereTheWaitIsInterrupted() throws Exception {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> CommandArchive.run(new ProcessBuilder("sleep", "98765")))
        .isInstanceOf(InterruptedException.class);
    for (ProcessHandle child : ProcessHandle.current().children().toList()) {
      if (child.info().commandLine().orElse("").contains("98765")) {
        child.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
      }
    }
  }
}
