// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The {@code nitinol} command in a JVM of its own, started as {@code ./nitinol} starts it. */
public final class CommandProcess implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(240);

  /**
   * How long a run of the kit may take in a test that gives it so much time. An idle machine needs
   * a minute or two, and the bound is to catch nothing but a run that hangs.
   */
  static final Duration KIT_LIMIT = Duration.ofSeconds(800);

  private static final long POLL_MILLIS = 10;

  /** Ranks end by themselves, however slow the machine is: {@link #LIMIT} comes before this. */
  private static final Duration GRACE = Duration.ofMinutes(10);

  /** How long the JVMs get to print their thread dumps. */
  private static final long DUMP_SECONDS = 5;

  private final List<String> command;
  private final Process process;
  private final List<String> out = new ArrayList<>();
  private final List<String> err = new ArrayList<>();
  private final List<Thread> readers = new ArrayList<>();
  private final List<ProcessHandle> seen = new ArrayList<>();

  private CommandProcess(
      UnaryOperator<List<String>> around,
      Map<String, String> variables,
      List<String> arguments,
      ProcessBuilder.Redirect stdout)
      throws IOException {
    command = command(arguments);
    ProcessBuilder builder = new ProcessBuilder(around.apply(command));
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(CommandProcess::isOfALauncher);
    environment.put("NCCL_SOCKET_IFNAME", "lo");
    if (List.of("perf", "run").contains(arguments.isEmpty() ? "" : arguments.getFirst())) {
      // The module path lacks the vector kernels, and rank 0 would say so.
      environment.put("NITINOL_KERNELS", "scalar");
    }
    environment.putAll(variables);
    process = builder.redirectOutput(stdout).start();
    read(process.getErrorStream(), err);
  }

  /** Returns the command line by which a JVM runs {@code nitinol} with these arguments. */
  public static List<String> command(List<String> arguments) throws IOException {
    String path = System.getProperty("nitinol.module.path");
    if (path == null) {
      throw new IllegalStateException(
          "the build sets nitinol.module.path; run these tests by Maven");
    }
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> jvm = new ArrayList<>();
    jvm.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
    jvm.add("-Dnitinol.grace=" + GRACE.toSeconds());
    jvm.add(
        "--enable-native-access=io.nitinol.cli,io.nitinol.core,io.nitinol.tck,io.nitinol.net.socket,"
            + "io.nitinol.net.collnet,io.nitinol.net.nativeabi");
    jvm.addAll(List.of("--module-path", path, "--add-modules", "ALL-MODULE-PATH"));
    jvm.addAll(List.of("-m", "io.nitinol.cli/io.nitinol.cli.Main"));
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(CommandArchive.of(arguments).options(java, path, jvm));
    command.addAll(jvm);
    command.addAll(arguments);
    return command;
  }

  static boolean isOfALauncher(String name) {
    return name.startsWith("NCCL_")
        || name.startsWith("NITINOL_")
        || name.startsWith("OMPI_")
        || name.startsWith("PMI")
        || name.startsWith("SLURM_")
        || List.of("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT").contains(name);
  }

  /** Starts the command. */
  public static CommandProcess start(String... arguments) throws IOException {
    return start(Map.of(), arguments);
  }

  /** Starts the command with these variables. */
  public static CommandProcess start(Map<String, String> variables, String... arguments)
      throws IOException {
    return startBy(UnaryOperator.identity(), variables, List.of(arguments));
  }

  /** Starts the command behind another one, {@code around}. */
  static CommandProcess startBy(
      UnaryOperator<List<String>> around, Map<String, String> variables, List<String> arguments)
      throws IOException {
    CommandProcess command =
        new CommandProcess(
            around, new TreeMap<>(variables), arguments, ProcessBuilder.Redirect.PIPE);
    command.read(command.process.getInputStream(), command.out);
    return command;
  }

  /** Starts the command with its stdout in a file. */
  static CommandProcess startInto(File stdout, Map<String, String> variables, String... arguments)
      throws IOException {
    return new CommandProcess(
        UnaryOperator.identity(),
        new TreeMap<>(variables),
        List.of(arguments),
        ProcessBuilder.Redirect.to(stdout));
  }

  /**
   * Starts the command with a pipe for its stdout that is closed before it writes. There is no
   * reader, since a thread in a read would keep the pipe open.
   */
  static CommandProcess startUnread(String... arguments) throws IOException {
    CommandProcess command =
        new CommandProcess(
            UnaryOperator.identity(), Map.of(), List.of(arguments), ProcessBuilder.Redirect.PIPE);
    command.process.getInputStream().close();
    return command;
  }

  private void read(InputStream in, List<String> lines) {
    readers.add(
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try (BufferedReader reader =
                  new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                  synchronized (lines) {
                    lines.add(line);
                  }
                }
              } catch (IOException e) {
                synchronized (lines) {
                  lines.add("(reading failed: " + e + ")");
                }
              }
            }));
  }

  /** Returns what has been printed to stdout so far. */
  public String out() {
    return text(out);
  }

  /** Returns what has been printed to stderr so far. */
  String err() {
    return text(err);
  }

  private static String text(List<String> lines) {
    synchronized (lines) {
      return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }
  }

  /** Returns the rows of perf's table. */
  List<String> rows() {
    return out().lines().filter(line -> line.matches(" +\\d.*")).toList();
  }

  /** Waits until the command has ended and returns its exit status. */
  public int exit() throws InterruptedException {
    return exit(LIMIT);
  }

  /** Waits until the command has ended, at most for {@code limit}, and returns its exit status. */
  public int exit(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("did not end within " + limit.toSeconds() + " s: " + standing());
    }
    for (Thread reader : readers) {
      reader.join(LIMIT.toMillis());
    }
    return process.exitValue();
  }

  /** Waits until stdout has a line in which {@code pattern} is found. */
  void awaitLine(String pattern) {
    Pattern wanted = Pattern.compile(pattern, Pattern.MULTILINE);
    await("a line with " + pattern, () -> wanted.matcher(out()).find());
  }

  /** Waits until stderr has a line in which {@code text} stands. */
  void awaitErrorLine(String text) {
    await("a line with " + text + " on stderr", () -> err().contains(text));
  }

  /** Waits until there are {@code count} processes that this one has started, and returns them. */
  List<ProcessHandle> awaitChildren(int count) {
    await(count + " children", () -> process.children().count() >= count);
    seen.addAll(process.descendants().toList());
    return process.children().toList();
  }

  /** Waits until there are {@code count} processes below this one, and returns them. */
  List<ProcessHandle> awaitDescendants(int count) {
    await(count + " descendants", () -> process.descendants().count() >= count);
    List<ProcessHandle> all = process.descendants().toList();
    seen.addAll(all);
    return all;
  }

  /** Waits until none of {@code processes} is alive. */
  void awaitEnd(List<ProcessHandle> processes) {
    await("the end of " + processes, () -> processes.stream().noneMatch(ProcessHandle::isAlive));
  }

  private void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited in vain for " + what + ": " + standing());
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        throw new AssertionError("interrupted while waiting for " + what, e);
      }
    }
  }

  /**
   * Describes the command, with its JVMs' thread dumps, since it may hang or the machine be slow.
   */
  private String standing() {
    try {
      String load = Files.readString(Path.of("/proc/loadavg")).strip();
      for (ProcessHandle each :
          Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList()) {
        if (each.info().command().orElse("").endsWith("/java")) {
          new ProcessBuilder("kill", "-QUIT", Long.toString(each.pid())).inheritIO().start();
        }
      }
      TimeUnit.SECONDS.sleep(DUMP_SECONDS);
      return "load " + load + "\n" + this;
    } catch (IOException | InterruptedException e) {
      return "(no thread dumps: " + e + ") " + this;
    }
  }

  /** Returns the process that was started. */
  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Sends SIGTERM, and goes on reading, which {@link Process#destroy} would not. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** Sends SIGTERM to it and to all processes that it has started and that have not ended. */
  void terminateAll() throws IOException, InterruptedException {
    List<String> kill = new ArrayList<>(List.of("kill", "-TERM"));
    Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .forEach(each -> kill.add(Long.toString(each.pid())));
    new ProcessBuilder(kill).inheritIO().start().waitFor(); // 1 where one has ended by itself
  }

  /** Sends SIGKILL. */
  void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    seen.addAll(process.descendants().toList());
    process.destroyForcibly();
    seen.forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public String toString() {
    return command + "\nstdout:\n" + out() + "stderr:\n" + err();
  }
}
