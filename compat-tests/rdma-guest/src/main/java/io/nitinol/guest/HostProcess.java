// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs programs of the host and waits for them, with a time limit. */
final class HostProcess {
  private static final File NOTHING = new File("/dev/null");
  private static final int GONE_SECONDS = 10;

  private HostProcess() {}

  /**
   * Runs a program and what it starts.
   *
   * @param directory its working directory
   * @param log the file that takes the place of both its outputs
   * @return its exit status; empty where it was killed after {@code limit}
   */
  static OptionalInt run(List<String> command, Path directory, Path log, Duration limit)
      throws IOException, InterruptedException {
    return run(command, directory, log, () -> limit);
  }

  /**
   * The same with a limit that may have grown when it is over.
   *
   * @param limit from the start on; asked now, and whenever what it was is over
   */
  static OptionalInt run(List<String> command, Path directory, Path log, Supplier<Duration> limit)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(NOTHING)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    // It has no terminal whose end would tell it that this JVM was killed.
    Thread last = new Thread(() -> kill(process), "end of " + command.getFirst());
    Runtime.getRuntime().addShutdownHook(last);
    try {
      long start = System.nanoTime();
      for (long left = limit.get().toNanos();
          left > 0;
          left = limit.get().toNanos() - (System.nanoTime() - start)) {
        if (process.waitFor(left, TimeUnit.NANOSECONDS)) {
          return OptionalInt.of(process.exitValue());
        }
      }
      return OptionalInt.empty();
    } finally {
      kill(process);
      process.waitFor(GONE_SECONDS, TimeUnit.SECONDS);
      removeHook(last);
    }
  }

  private static void kill(Process process) {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // Already ending: the hook runs, and finds nothing left to kill.
      return;
    }
  }

  /** Returns the last lines of a log; empty where there is none. */
  static String tail(Path log, int lines) throws IOException {
    if (!Files.exists(log)) {
      return "";
    }
    List<String> all = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
    return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
  }
}
