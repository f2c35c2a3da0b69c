// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.shm.ProcessName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;

/**
 * The other end of {@link OrphanGuard}'s pipe. Each line is a letter and what it is about: a
 * process is expected and will have a mark in its environment, or has been started and is to be
 * watched, or has ended and is to be forgotten.
 */
@Command(
    name = WatchdogCommand.NAME,
    hidden = true,
    description =
        "Kills the processes named on standard input when that ends; started by nitinol run.")
public final class WatchdogCommand implements Callable<Integer> {
  static final String NAME = "watchdog";

  /** Begins a line with the mark of the process that is started next. */
  static final char EXPECT = '?';

  /** Begins a line with the {@link ProcessName} of that process, or nothing if it has ended. */
  static final char WATCH = '+';

  /** Begins a line with the number of a process that has ended. */
  static final char FORGET = '-';

  /**
   * How long a process may take from the launcher's end to having its mark: until then it is the
   * JDK's helper, which becomes the program.
   */
  private static final long APPEARING_MILLIS = 1_000;

  private static final long POLL_MILLIS = 20;

  private static final Pattern PROCESS = Pattern.compile(ProcessName.PATTERN);
  private static final Path PROC = Path.of("/proc");

  /** Made by picocli. */
  public WatchdogCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    // Ctrl-C reaches this process as well, and it must outlive the launcher.
    Thread reader = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> outlive(reader), "watchdog-outlive"));
    guard(System.in);
    // Past the shutdown hook, which would wait for this very thread.
    Runtime.getRuntime().halt(0);
    return 0;
  }

  private static void outlive(Thread reader) {
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads {@code pipe} to its end, and then kills what is to be killed. */
  static void guard(InputStream pipe) throws IOException, InterruptedException {
    Map<Long, ProcessName> watched = new HashMap<>();
    String expected = null;
    BufferedReader in = new BufferedReader(new InputStreamReader(pipe, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String text = line.substring(1);
      switch (line.charAt(0)) {
        case EXPECT -> expected = text;
        case WATCH -> {
          expected = null;
          Matcher name = PROCESS.matcher(text);
          if (name.matches()) {
            ProcessName process = ProcessName.of(name, 1);
            watched.put(process.pid(), process);
          }
        }
        case FORGET -> watched.remove(Long.valueOf(text));
        default -> throw new IOException("the launcher has sent \"" + line + "\"");
      }
    }
    for (ProcessName process : watched.values()) {
      // The start tells a process from a later one with the same number. It is in ticks since the
      // machine's own: by the clock, which may be set, it would be another one in each process.
      if (process.equals(ProcessName.of(process.pid()))) {
        killTree(process.pid());
      }
    }
    if (expected != null) {
      killMarked(LaunchVariables.GUARD.name() + "=" + expected);
    }
  }

  /** Kills what has {@code entry} in its environment, or will have in a moment. */
  private static void killMarked(String entry) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(APPEARING_MILLIS);
    do {
      ProcessHandle.allProcesses()
          .filter(process -> environment(process.pid()).contains(entry))
          .forEach(process -> killTree(process.pid()));
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } while (System.nanoTime() < deadline);
  }

  /** Returns the environment of a process of this user, and nothing of another's. */
  private static List<String> environment(long pid) {
    try {
      String all =
          Files.readString(
              PROC.resolve(Long.toString(pid)).resolve("environ"), StandardCharsets.ISO_8859_1);
      return List.of(all.split("\0", -1));
    } catch (IOException e) {
      return List.of(); // it has ended, or is another user's
    }
  }

  private static void killTree(long pid) {
    ProcessHandle process = ProcessHandle.of(pid).orElse(null);
    if (process == null) {
      return;
    }
    List<ProcessHandle> tree = new ArrayList<>(process.descendants().toList());
    tree.add(process);
    tree.forEach(ProcessHandle::destroyForcibly);
  }
}
