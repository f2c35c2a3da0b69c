// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.peer.ChildJvm;
import io.nitinol.tck.session.TestSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** Runs an errand of a plugin in a process of its own. */
public final class Solo {
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(50);
  private static final long ENDING = TimeUnit.SECONDS.toNanos(10);
  private static final long NAP = TimeUnit.MILLISECONDS.toNanos(5);

  /** The limit of descriptors where they are lacking: more than a JVM needs to start. */
  private static final int FEW_DESCRIPTORS = 400;

  private static final Path SHELL = Path.of("/bin/sh");

  /** The beginnings of lines that the JVM prints by itself. */
  private static final List<String> OF_THE_JVM =
      List.of(
          "WARNING: A restricted method in ",
          "WARNING: Using incubator modules: ",
          "WARNING: A terminally deprecated method in ",
          "WARNING: Use --",
          "WARNING: Restricted methods ",
          "WARNING: Please consider reporting ",
          "WARNING: java.lang.",
          "WARNING: sun.misc.Unsafe",
          "OpenJDK ",
          "Java HotSpot",
          "Picked up ",
          "NOTE: Picked up ");

  /**
   * The beginning of lines of the JVM's log, if no option has sent it elsewhere: uptime and level.
   */
  private static final Pattern LOG_OF_THE_JVM =
      Pattern.compile("^\\[\\d+[.,]\\d+s\\]\\[(warning|error|info) *\\].*");

  private final TestSession session;
  private final Errand errand;

  private Solo(TestSession session, Errand errand) {
    this.session = session;
    this.errand = errand;
  }

  /**
   * Runs the errand.
   *
   * @throws RuleViolation when the plugin broke another rule on the way
   * @throws Inapplicable when the errand cannot run here
   */
  public static SoloResult run(TestSession session, Errand errand) {
    return run(session, errand, Map.of());
  }

  /** The same with variables of the environment. */
  public static SoloResult run(
      TestSession session, Errand errand, Map<String, String> environment) {
    try {
      return new Solo(session, errand).start(environment);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a process for " + errand, e);
    }
  }

  private SoloResult start(Map<String, String> environment) throws IOException {
    Path directory = Files.createTempDirectory("nitinol-tck");
    Path said = Files.createFile(directory.resolve("said"));
    Path output = directory.resolve("output");
    try {
      ProcessBuilder builder = new ProcessBuilder(command(said));
      builder.environment().putAll(environment);
      builder.redirectErrorStream(true).redirectOutput(output.toFile());
      Process process = builder.start();
      boolean ended;
      try {
        ended = await(process, said);
      } finally {
        process.destroyForcibly();
      }
      SoloResult result =
          new SoloResult(
              SoloReport.read(said), printed(output), ended, ended ? process.exitValue() : -1);
      result.requireDone(errand);
      return result;
    } finally {
      Files.deleteIfExists(said);
      Files.deleteIfExists(output);
      Files.deleteIfExists(directory);
    }
  }

  private List<String> command(Path said) {
    List<String> java =
        ChildJvm.command(
            List.of("-Xms64m", "-Xmx192m", "-XX:+UseSerialGC"),
            SoloProcess.class,
            SoloProcess.arguments(session, errand, said));
    if (errand != Errand.INITIALIZE_STARVED && errand != Errand.WORK_STARVED) {
      return java;
    }
    if (!Files.isExecutable(SHELL)) {
      throw session.skip("there is no " + SHELL + " to limit descriptors with");
    }
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            SHELL.toString(),
            "-c",
            "ulimit -n " + FEW_DESCRIPTORS + " && exec \"$@\"",
            SHELL.toString()));
    command.addAll(java);
    return command;
  }

  /** Waits for the errand, and then a little for the process to end by itself. */
  private boolean await(Process process, Path said) throws IOException {
    long limit = System.nanoTime() + session.patient(LIMIT);
    while (process.isAlive() && System.nanoTime() - limit < 0) {
      if (SoloReport.isComplete(said)) {
        limit = Math.min(limit, System.nanoTime() + session.patient(ENDING));
        break;
      }
      LockSupport.parkNanos(NAP);
    }
    try {
      long left = Math.max(0, limit - System.nanoTime());
      return process.waitFor(left, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the test was interrupted", e);
    }
  }

  private static List<String> printed(Path output) throws IOException {
    return new String(Files.readAllBytes(output), StandardCharsets.ISO_8859_1)
        .lines()
        .filter(line -> OF_THE_JVM.stream().noneMatch(line::startsWith))
        .filter(line -> !LOG_OF_THE_JVM.matcher(line).matches())
        .toList();
  }
}
