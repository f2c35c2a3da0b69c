// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.peer.ChildJvm;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.session.KitPatience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.ObjectMapper;

/** Runs tests in processes of their own and collects their results. Any thread. */
final class CaseProcesses implements AutoCloseable {
  /** The time that a process may take beyond its test: to start, and to end. */
  private static final long SPARE_SECONDS = 20;

  private static final List<String> HEAP = List.of("-Xms192m", "-Xmx192m", "-XX:+UseSerialGC");
  private static final int TAIL = 40;

  private final PluginUnderTest plugin;
  private final boolean full;
  private final Duration patience;
  private final Queue<Process> started = new ConcurrentLinkedQueue<>();

  CaseProcesses(PluginUnderTest plugin, boolean full, Duration patience) {
    this.plugin = plugin;
    this.full = full;
    this.patience = patience;
  }

  /** Starts a process for the test; the result comes when it has ended. */
  CompletableFuture<CaseResult> start(RuleCase test, Lane lane, long seed) {
    CompletableFuture<CaseResult> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("tck-process-" + test.rule())
        .start(() -> {
          try {
            result.complete(run(test, lane, seed));
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private CaseResult run(RuleCase test, Lane lane, long seed) throws InterruptedException {
    long start = System.nanoTime();
    try {
      Path directory = Files.createTempDirectory("nitinol-tck");
      Path file = directory.resolve("result.json");
      Path output = directory.resolve("output");
      try {
        ProcessBuilder builder =
            new ProcessBuilder(
                ChildJvm.command(
                    HEAP,
                    CaseProcess.class,
                    CaseProcess.arguments(plugin, lane, test, full, seed, patience, file)));
        Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        started.add(process);
        long limit =
            new KitPatience(patience.toNanos()).scaled(test.terms().seconds() + SPARE_SECONDS);
        boolean ended = process.waitFor(limit, TimeUnit.SECONDS);
        if (ended && Files.exists(file)) {
          return new ObjectMapper().readValue(file.toFile(), CaseResult.class);
        }
        if (!ended) {
          process.destroyForcibly().waitFor();
        }
        return new CaseResult(
            test.rule(),
            test.name(),
            lane.label(),
            Outcome.FAILED,
            Duration.ofNanos(System.nanoTime() - start),
            test.rule(),
            ended
                ? "the process of the test ended with status " + process.exitValue()
                : "the process of the test did not end within " + limit + " s and was killed",
            tail(output),
            seed);
      } finally {
        delete(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + test.rule() + " in a process of its own", e);
    }
  }

  /**
   * Reads a plugin's output, which may have any encoding: in this one, each byte is a character.
   */
  static List<String> tail(Path output) throws IOException {
    List<String> lines = Files.readAllLines(output, StandardCharsets.ISO_8859_1);
    return lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
  }

  /**
   * Deletes the files of a process, also those of one that ended in the middle, such as half a
   * result.
   */
  static void delete(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // The result counts: a file left among the temporary ones is no reason to lose it.
      directory.toFile().deleteOnExit();
    }
  }

  @Override
  public void close() {
    started.forEach(Process::destroyForcibly);
  }
}
