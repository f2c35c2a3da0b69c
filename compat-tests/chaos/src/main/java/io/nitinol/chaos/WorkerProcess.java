// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.core.launch.JvmCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A {@link Worker} as the program sees it. */
final class WorkerProcess implements AutoCloseable {
  /**
   * A line of a worker.
   *
   * @param nanos when it came, by {@link System#nanoTime}
   */
  record Line(int round, Report report, String text, long nanos) {}

  private static final int CLOCK_SECONDS = 60;

  /** How long a process may be known to be there that has closed its output. */
  private static final int END_SECONDS = 5;

  private final Process process;
  private final Path log;
  private final List<Line> lines = new ArrayList<>(); // guarded by this, as the others
  private boolean ready;
  private boolean ended;
  private long clock = -1;
  private volatile boolean killed;

  private WorkerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a worker, which gets ready meanwhile.
   *
   * @param around puts a prefix before its command
   * @param log where its log goes
   */
  static WorkerProcess start(
      UnaryOperator<List<String>> around,
      Map<String, String> variables,
      List<String> arguments,
      Path log)
      throws IOException {
    List<String> command =
        JvmCommand.ofThisProcess()
            .withoutAgents()
            .with(
                List.of(
                    "-XX:+DisplayVMOutputToStderr",
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1"))
            .run(Worker.class, arguments);
    ProcessBuilder builder =
        new ProcessBuilder(around.apply(command))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(variables);
    WorkerProcess worker = new WorkerProcess(builder.start(), log);
    // No virtual thread: at most 256 can be in a read at once, and further workers are never heard.
    Thread.ofPlatform().daemon().name("output of " + worker.pid()).start(worker::read);
    return worker;
  }

  private void read() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        take(line.split(" ", 3));
      }
    } catch (IOException | UncheckedIOException e) {
      if (!killed) {
        System.err.println("chaos: " + process + " cannot be read: " + e);
      }
    } finally {
      synchronized (this) {
        ended = true;
        notifyAll();
      }
    }
  }

  private synchronized void take(String[] words) {
    if (words[0].equals("ready")) {
      ready = true;
    } else if (words[0].equals("clock")) {
      clock = Long.parseLong(words[1]);
    } else {
      lines.add(
          new Line(
              Integer.parseInt(words[0]),
              Report.valueOf(words[1]),
              words.length > 2 ? words[2] : "",
              System.nanoTime()));
    }
    notifyAll();
  }

  /** Waits until it can take part. */
  void awaitReady(int seconds) throws IOException, InterruptedException {
    if (await(System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds), () -> ready)) {
      return;
    }
    boolean over;
    synchronized (this) {
      over = ended;
    }
    if (over && process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException(
          "a worker ended with status %d before it was ready, see %s"
              .formatted(process.exitValue(), log));
    }
    dump();
    TimeUnit.SECONDS.sleep(1); // it writes its stacks meanwhile
    throw new IOException("a worker is not ready in " + seconds + " s, its stacks are in " + log);
  }

  private synchronized boolean await(long deadline, Condition condition)
      throws InterruptedException {
    while (!condition.holds()) {
      long left = deadline - System.nanoTime();
      if (left <= 0 || ended) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }

  @FunctionalInterface
  private interface Condition {
    boolean holds();
  }

  /** Waits for a line with one of {@code reports}; false where none comes, or the process ends. */
  boolean await(int round, long deadline, Report... reports) throws InterruptedException {
    List<Report> wanted = List.of(reports);
    return await(
        deadline,
        () -> lines.stream().anyMatch(line -> line.round == round && wanted.contains(line.report)));
  }

  /** Returns what it has reported of a round. */
  synchronized List<Line> lines(int round) {
    return lines.stream().filter(line -> line.round == round).toList();
  }

  /** Asks for its wall clock, in milliseconds since 1970; -1 where it does not answer. */
  long clock() throws InterruptedException {
    synchronized (this) {
      clock = -1;
    }
    tell("clock");
    await(System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOCK_SECONDS), () -> clock >= 0);
    synchronized (this) {
      return clock;
    }
  }

  /** Tells it something; one that has died does not hear it, which its silence then shows. */
  void tell(String line) {
    try {
      OutputStream out = process.getOutputStream();
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      System.err.println("chaos: process " + pid() + " does not hear \"" + line + "\": " + e);
    }
  }

  /** Sends a signal, such as {@code STOP}. */
  void signal(String name) throws IOException, InterruptedException {
    run("kill", "-" + name, Long.toString(pid()));
  }

  /** Lets it open {@code more} descriptors beyond those that it has. */
  void limitDescriptors(long more) throws IOException, InterruptedException {
    try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid()), "fd"))) {
      run("prlimit", "--pid", Long.toString(pid()), "--nofile=" + (open.count() + more) + ":");
    }
  }

  /** Lets it open as many descriptors as it may again. */
  void allowDescriptors() throws IOException, InterruptedException {
    String pid = Long.toString(pid());
    String limits = Files.readString(Path.of("/proc", pid, "limits"));
    String hard =
        limits
            .lines()
            .filter(line -> line.startsWith("Max open files"))
            .map(line -> line.trim().split(" +", -1)[4])
            .findFirst()
            .orElseThrow(() -> new IOException("no limit of open files among " + limits));
    run("prlimit", "--pid", pid, "--nofile=" + hard + ":");
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process done = new ProcessBuilder(command).inheritIO().start();
    if (done.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + done.exitValue());
    }
  }

  /** Has it write its threads' stacks to its log. */
  void dump() throws IOException, InterruptedException {
    signal("QUIT");
  }

  void kill() {
    killed = true;
    process.destroyForcibly();
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return !killed && process.isAlive();
  }

  Path log() {
    return log;
  }

  @Override
  public void close() {
    kill(); // SIGKILL ends a stopped one too
  }
}
