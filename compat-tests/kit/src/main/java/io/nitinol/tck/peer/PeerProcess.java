// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.session.KitPatience;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Starts the JVM of a peer, sends its commands and reads its answers and output. */
final class PeerProcess {
  private static final List<String> SMALL =
      List.of(
          "-Xms16m",
          "-Xmx96m",
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-XX:-CreateCoredumpOnCrash",
          "-XX:ErrorFile=/dev/null");
  private static final int TAIL = 30;
  private static final int MOST_TEXT = 600;
  private static final Pattern EMPTY = Pattern.compile("[#\\s]*");
  private static final long END_SECONDS = 10;
  private static final long STACK_SECONDS = 2;

  private final Process process;
  private final KitPatience patience;
  private final BufferedWriter commands;

  /** The commands that have no answer yet, oldest first; guarded by itself. */
  private final Deque<CompletableFuture<String>> asked = new ArrayDeque<>();

  /** The last output of the plugin and the JVM; guarded by itself. */
  private final Deque<String> printed = new ArrayDeque<>();

  private final CompletableFuture<Boolean> up = new CompletableFuture<>();
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private volatile CompletableFuture<List<String>> stack = new CompletableFuture<>();
  private volatile boolean gone;

  private PeerProcess(Process process, KitPatience patience) {
    this.process = process;
    this.patience = patience;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    asked.add(ready);
  }

  /** Starts a process with an instance of the plugin at the end of the lane; does not wait. */
  static PeerProcess start(PluginUnderTest plugin, Lane lane, KitPatience patience) {
    List<String> command =
        ChildJvm.command(SMALL, PeerMain.class, PeerMain.arguments(plugin, lane, patience));
    try {
      PeerProcess peer =
          new PeerProcess(new ProcessBuilder(command).redirectErrorStream(true).start(), patience);
      Thread.ofPlatform().daemon().name("tck-peer-" + peer.pid()).start(peer::listen);
      return peer;
    } catch (IOException e) {
      throw new Inconclusive("cannot start a process for a peer: " + e.getMessage(), e);
    }
  }

  long pid() {
    return process.pid();
  }

  /** Returns what is complete once the process has come up, or has ended. */
  CompletableFuture<Boolean> up() {
    return up;
  }

  /** Returns the answer that comes when the plugin has been initialized there. */
  CompletableFuture<String> ready() {
    return ready;
  }

  boolean isAlive() {
    return !gone && process.isAlive();
  }

  /** Returns whether a signal ended it of which no plugin is the reason. */
  boolean isToldToEnd() {
    return !process.isAlive() && ChildJvm.isToldToEnd(process.exitValue());
  }

  /** Sends a command; the answer comes without its mark. */
  CompletableFuture<String> ask(String command) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    synchronized (asked) {
      if (gone) {
        answer.completeExceptionally(new PeerGone(this));
        return answer;
      }
      asked.addLast(answer);
    }
    tell(command);
    return answer;
  }

  /** Sends a command that has no answer. */
  void tell(String command) {
    try {
      commands.write(command);
      commands.newLine();
      commands.flush();
    } catch (IOException e) {
      // Its end shows at the other pipe as well, which fails all that was asked.
      printed("the pipe of the commands: " + e.getMessage());
    }
  }

  /** Kills it as the system does it, without a word, and waits for its end. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /**
   * Waits for the end of the process.
   *
   * @throws Inconclusive when it does not come
   */
  void awaitEnd() {
    try {
      long seconds = patience.scaled(END_SECONDS);
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new Inconclusive(
            "the peer process " + pid() + " has not ended within " + seconds + " s");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the test was interrupted", e);
    }
  }

  /** Stops or continues it as a shell does with a job. */
  void signal(String name) {
    ChildJvm.signal(process, name, patience);
  }

  /** Stops all threads; the signal has only been noted when {@code kill} returns. */
  void stop() {
    signal("STOP");
    long seconds = patience.scaled(END_SECONDS);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!isStopped()) {
      if (System.nanoTime() - deadline >= 0) {
        throw new Inconclusive(
            "process " + pid() + " has not stopped within " + seconds + " s of SIGSTOP");
      }
      LockSupport.parkNanos(100_000);
    }
  }

  /** Returns whether each thread is stopped, as /proc says; true where there is no /proc. */
  private boolean isStopped() {
    Path tasks = Path.of("/proc", Long.toString(pid()), "task");
    if (!Files.isDirectory(tasks)) {
      return true;
    }
    try (Stream<Path> threads = Files.list(tasks)) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        // The name before it is in brackets and may hold anything.
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    } catch (IOException | UncheckedIOException e) {
      return false; // a thread that has just ended: look again
    }
  }

  /** Describes the state of the process and its last output, for a report. */
  String describe() {
    StringBuilder text = new StringBuilder();
    text.append("process ").append(pid());
    text.append(process.isAlive() ? " is alive" : " ended with status " + process.exitValue());
    synchronized (printed) {
      if (!printed.isEmpty()) {
        String all = String.join(" | ", printed);
        text.append(" and printed: ").append(all, 0, Math.min(all.length(), MOST_TEXT));
      }
    }
    return text.toString();
  }

  /**
   * Returns where the thread stands that obeys the commands, innermost frame first; nothing if the
   * process does not say so in time.
   */
  List<String> stack() {
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    stack = answer;
    tell(PeerMain.STACK);
    try {
      return answer.get(patience.scaled(STACK_SECONDS), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** Reads the output of the process until it ends. */
  private void listen() {
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        if (line.startsWith(PeerMain.STACK_MARK)) {
          stack.complete(List.of(line.substring(PeerMain.STACK_MARK.length()).split("\t")));
        } else if (line.equals(PeerMain.UP)) {
          up.complete(true);
        } else if (line.startsWith(PeerMain.MARK)) {
          answered(line.substring(PeerMain.MARK.length()));
        } else if (!EMPTY.matcher(line).matches()) {
          printed(line);
        }
      }
    } catch (IOException e) {
      printed("the pipe of the answers: " + e.getMessage());
    }
    awaitStatus();
    up.complete(false);
    synchronized (asked) {
      gone = true;
      asked.forEach(answer -> answer.completeExceptionally(new PeerGone(this)));
      asked.clear();
    }
  }

  /** The end of the pipe comes shortly before the process has a status to report. */
  private void awaitStatus() {
    try {
      if (!process.waitFor(1, TimeUnit.SECONDS)) {
        printed("its output has been closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answered(String answer) {
    CompletableFuture<String> oldest;
    synchronized (asked) {
      oldest = asked.pollFirst();
    }
    if (oldest != null) {
      oldest.complete(answer);
    }
  }

  private void printed(String line) {
    synchronized (printed) {
      if (printed.size() == TAIL) {
        printed.removeFirst();
      }
      printed.addLast(line);
    }
  }
}
