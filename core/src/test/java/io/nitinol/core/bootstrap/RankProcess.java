// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.Addresses;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One rank in a process of its own: what it runs, and how a test starts it and listens to it. */
final class RankProcess implements AutoCloseable {
  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> unused = new ArrayList<>();

  private RankProcess(Process process) {
    this.process = process;
    Thread.ofPlatform().daemon().name("output of " + process.pid()).start(this::read);
  }

  /** Starts rank {@code rank} of {@code n}, which does what {@code scene} says. */
  static RankProcess start(UniqueId id, int rank, int n, String scene) throws IOException {
    return start(id, rank, n, scene, List.of());
  }

  /** As the other, by way of the command {@code prefix}. */
  static RankProcess start(UniqueId id, int rank, int n, String scene, List<String> prefix)
      throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String path =
        String.join(
            File.pathSeparator,
            location(Settings.class),
            location(Addresses.class),
            location(Bootstrap.class),
            Path.of("target", "test-classes").toAbsolutePath().toString());
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            java.toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx64m",
            "-cp",
            path,
            RankProcess.class.getName(),
            id.toString(),
            String.valueOf(rank),
            String.valueOf(n),
            scene));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectErrorStream(true);
    return new RankProcess(builder.start());
  }

  private static String location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("lost: " + e);
    }
  }

  /** Waits for the next line that begins with {@code start} and returns the rest of it. */
  String await(String start) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    int looked = 0;
    while (true) {
      for (; looked < unused.size(); looked++) {
        if (unused.get(looked).startsWith(start)) {
          return unused.remove(looked).substring(start.length()).strip();
        }
      }
      String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new AssertionError("no line \"" + start + "...\" came, but " + unused);
      }
      unused.add(line);
    }
  }

  /** Tells the rank to go on. */
  void go() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  void kill() {
    process.destroyForcibly();
  }

  /** Sends a signal, such as STOP. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
    if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new AssertionError("kill -" + name + " failed");
    }
  }

  int exit() throws InterruptedException {
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      throw new AssertionError("process " + process.pid() + " does not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Runs one rank: unique id, rank, number of ranks, scene. */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[1]);
    int n = Integer.parseInt(args[2]);
    Ranks.Lines log = new Ranks.Lines();
    long begin = System.nanoTime();
    Bootstrap bootstrap =
        Bootstrap.connect(UniqueId.parse(args[0]), rank, n, Ranks.settings(30), log);
    say("met " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    bootstrap.onFailure((failed, reason) -> say("failed " + failed + " " + reason));
    switch (args[3]) {
      case "gather" -> {
        for (int round = 0; round < 10; round++) {
          byte[][] all = bootstrap.allGather(new byte[] {(byte) (rank + round)});
          for (int r = 0; r < n; r++) {
            if (all[r][0] != (byte) (r + round)) {
              throw new AssertionError("rank " + rank + " got " + all[r][0] + " of rank " + r);
            }
          }
          bootstrap.barrier(round);
        }
        bootstrap.close();
        say("warnings " + log.warnings());
      }
      case "wait" -> {
        say("ready");
        try {
          bootstrap.recv((rank + 1) % n, 1);
          say("received");
        } catch (BootstrapException e) {
          say("error " + e.failedRank() + " " + e.getMessage());
        }
        System.in.read(); // until the test has seen enough
        bootstrap.close();
      }
      case "crowded" -> {
        say("listens " + log.lines);
        if (rank == 2) {
          System.in.read(); // until rank 0 has no descriptor left
          bootstrap.send(0, 5, new byte[] {42});
        } else if (rank == 0) {
          say("received " + bootstrap.recv(2, 5)[0]);
          say("log " + log.warnings());
        }
        bootstrap.barrier(1);
        bootstrap.close();
      }
      default -> throw new IllegalArgumentException(args[3]);
    }
    say("bye");
  }

  /** Standard output is how this process talks to its test. */
  @SuppressWarnings("SystemOut")
  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
