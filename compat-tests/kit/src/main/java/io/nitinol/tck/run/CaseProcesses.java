// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.peer.ChildJvm;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.result.Outcome;
import io.nitinol.tck.session.KitPatience;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectMapper;

/**
 * Runs tests in processes of their own and collects their results. How many there are at once
 * depends on the cores, not on the tests: a kit that starts a hundred JVMs makes the load for which
 * it then blames the plugin. Any thread.
 */
final class CaseProcesses implements AutoCloseable {
  /** The time that a process may take beyond its test, to end. */
  private static final long SPARE_SECONDS = 20;

  /** How long a JVM may take to come up, beside as many others as there are cores. */
  private static final long START_SECONDS = 60;

  /** How long a process may take to print where its threads stand. */
  private static final long DUMP_SECONDS = 3;

  /** Tests that mostly wait: so many at once for each core. */
  private static final int WAITING_PER_CORE = 2;

  private static final int LEAST_WAITING = 4;

  private static final long NAP = TimeUnit.MILLISECONDS.toNanos(10);
  private static final List<String> HEAP = List.of("-Xms192m", "-Xmx192m", "-XX:+UseSerialGC");
  private static final int TAIL = 40;
  private static final String BEGUN = "begun";

  private final PluginUnderTest plugin;
  private final boolean full;
  private final int mostWaiting = mostWaiting(Runtime.getRuntime().availableProcessors());
  private final Queue<Process> started = new ConcurrentLinkedQueue<>();

  /** Has a permit for each test that may wait beside the others. */
  private final Semaphore places = new Semaphore(mostWaiting, true);

  /** Has a permit for each JVM that may come up at a time. */
  private final Semaphore starts = new Semaphore(Runtime.getRuntime().availableProcessors(), true);

  CaseProcesses(PluginUnderTest plugin, boolean full) {
    this.plugin = plugin;
    this.full = full;
  }

  /** Returns how many processes may wait beside the run on a machine with so many cores. */
  static int mostWaiting(int cores) {
    return Math.max(LEAST_WAITING, WAITING_PER_CORE * cores);
  }

  /** Runs a test in a process of its own, beside which the caller does nothing. */
  CaseResult run(RuleCase test, Lane lane, long seed, Duration patience) {
    return run(test, lane, seed, patience, false);
  }

  /** The same; an init that does not end is given up early if one has been seen. */
  CaseResult run(RuleCase test, Lane lane, long seed, Duration patience, boolean startHung) {
    try {
      return process(test, lane, seed, patience, startHung);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the run was interrupted", e);
    }
  }

  /** Lets a test wait in a process of its own, as soon as there is a place for it. */
  CompletableFuture<CaseResult> wait(RuleCase test, Lane lane, long seed, Duration patience) {
    CompletableFuture<CaseResult> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("tck-process-" + test.rule())
        .start(() -> {
          try {
            places.acquire();
            try {
              result.complete(process(test, lane, seed, patience, false));
            } finally {
              places.release();
            }
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  /** Waits until no test waits beside this thread, and keeps others from it until {@link #go}. */
  void alone() {
    places.acquireUninterruptibly(mostWaiting);
  }

  /** Ends {@link #alone}. */
  void go() {
    places.release(mostWaiting);
  }

  private CaseResult process(
      RuleCase test, Lane lane, long seed, Duration patience, boolean startHung)
      throws InterruptedException {
    long start = System.nanoTime();
    try {
      Path directory = Files.createTempDirectory("nitinol-tck");
      try {
        return process(directory, test, lane, seed, patience, startHung);
      } catch (Inconclusive e) {
        List<String> printed = tail(directory.resolve("output"));
        return result(test, lane, Outcome.INCONCLUSIVE, start, e.getMessage(), printed, seed);
      } finally {
        delete(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + test.rule() + " in a process of its own", e);
    }
  }

  private CaseResult process(
      Path directory, RuleCase test, Lane lane, long seed, Duration patience, boolean startHung)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    KitPatience scale = new KitPatience(patience.toNanos());
    Path file = directory.resolve("result.json");
    Path output = directory.resolve("output");
    Process process = start(directory, test, lane, seed, patience, startHung, scale);
    // The test has its own bound in there, which does not count the time without a core.
    long limit = scale.scaled(2L * test.terms().seconds() + SPARE_SECONDS);
    boolean ended = process.waitFor(limit, TimeUnit.SECONDS);
    if (Files.exists(file)) {
      process.destroyForcibly();
      return new ObjectMapper().readValue(file.toFile(), CaseResult.class);
    }
    if (!ended) {
      dump(process, output, scale);
      process.destroyForcibly().waitFor();
      throw new Inconclusive(
          "the process of the test did not end within " + limit + " s and was killed");
    }
    if (ChildJvm.isToldToEnd(process.exitValue())) {
      throw new Inconclusive(
          ErrorText.of(
              "the process of the test was ended by signal %s, as by the system where memory is short",
              process.exitValue() - 128));
    }
    String why = "the process of the test ended with status " + process.exitValue();
    return result(test, lane, Outcome.FAILED, start, why, tail(output), seed);
  }

  /** Starts a process and waits until its JVM has come up, while which few others do. */
  private Process start(
      Path directory,
      RuleCase test,
      Lane lane,
      long seed,
      Duration patience,
      boolean startHung,
      KitPatience scale)
      throws IOException, InterruptedException {
    Path begun = directory.resolve(BEGUN);
    starts.acquire();
    try {
      Process process =
          new ProcessBuilder(
                  ChildJvm.command(
                      HEAP,
                      CaseProcess.class,
                      CaseProcess.arguments(
                          plugin, lane, test, full, seed, patience, startHung, directory)))
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("output").toFile())
              .start();
      started.add(process);
      long limit = scale.scaled(START_SECONDS);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(limit);
      while (!Files.exists(begun)) {
        if (!process.isAlive() && !Files.exists(begun)) {
          throw new Inconclusive(
              ErrorText.of(
                  "the JVM of the test ended with status %s before it called the plugin",
                  process.exitValue()));
        }
        if (System.nanoTime() - end > 0) {
          process.destroyForcibly().waitFor();
          throw new Inconclusive("the JVM of the test did not come up within " + limit + " s");
        }
        LockSupport.parkNanos(NAP);
      }
      return process;
    } finally {
      starts.release();
    }
  }

  /** Tells the kit that the JVM has come up, from {@link CaseProcess}. */
  static void begun(Path directory) throws IOException {
    Files.createFile(directory.resolve(BEGUN));
  }

  /** Has the JVM print where its threads stand, and waits for the print to end. */
  private static void dump(Process process, Path output, KitPatience scale) throws IOException {
    ChildJvm.signal(process, "QUIT", scale);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(scale.scaled(DUMP_SECONDS));
    long size;
    do {
      size = Files.size(output);
      LockSupport.parkNanos(20 * NAP);
    } while (System.nanoTime() - end < 0 && Files.size(output) != size);
  }

  private static CaseResult result(
      RuleCase test,
      Lane lane,
      Outcome outcome,
      long start,
      @Nullable String why,
      List<String> trace,
      long seed) {
    return new CaseResult(
        test.rule(),
        test.name(),
        lane.label(),
        outcome,
        Duration.ofNanos(System.nanoTime() - start),
        outcome == Outcome.FAILED ? test.rule() : null,
        String.valueOf(why),
        trace,
        seed);
  }

  /**
   * Reads a plugin's output, which may have any encoding: in this one, each byte is a character. Of
   * a print of all threads, those of the kit and the plugin are kept, and not the JVM's own.
   */
  static List<String> tail(Path output) throws IOException {
    if (!Files.exists(output)) {
      return List.of();
    }
    List<String> lines = Files.readAllLines(output, StandardCharsets.ISO_8859_1);
    int dump = -1;
    for (int i = 0; i < lines.size() && dump < 0; i++) {
      dump = lines.get(i).startsWith("Full thread dump") ? i : -1;
    }
    if (dump < 0) {
      return lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
    }
    List<String> kept = new ArrayList<>(lines.subList(Math.max(0, dump - TAIL), dump));
    boolean inside = false;
    for (String line : lines.subList(dump, lines.size())) {
      inside = line.startsWith("\"") ? line.startsWith("\"tck-") : inside && !line.isBlank();
      if (inside) {
        kept.add(line);
      }
    }
    return kept;
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
