// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A process that runs the kit and has ended, by itself or since it did not get on.
 *
 * @param pid its number
 * @param status what it ended with
 * @param stuckSeconds 0, or how long it did not get on before it was killed
 */
record KitProcess(long pid, int status, int stuckSeconds) {
  private static final long POLL_MILLIS = 500;

  /** What a test may take beyond its bound: for processes that start and end. */
  private static final int SPARE_SECONDS = 60;

  /** What happens outside of tests may take as long as a test. */
  private static final int OUTSIDE_SECONDS = 60;

  /**
   * Runs a process to its end, with this one's stdin, stdout and stderr, and ends what it has left.
   *
   * @param notes the file in which it notes how it gets on
   * @throws CommandFailure when this thread is interrupted
   */
  static KitProcess run(List<String> command, Path notes) throws IOException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    // Its own processes have no parent once it has ended, so that nothing leads to them any more.
    Set<ProcessHandle> started = new HashSet<>();
    try {
      long size = -1;
      long changed = System.nanoTime();
      while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        started.removeIf(each -> !each.isAlive());
        process.descendants().forEach(started::add);
        long now = System.nanoTime();
        long newSize = Files.size(notes);
        if (newSize != size) {
          size = newSize;
          changed = now;
        }
        int quiet = (int) TimeUnit.NANOSECONDS.toSeconds(now - changed);
        if (quiet > SPARE_SECONDS && quiet > limit(RunNotes.read(notes))) {
          process.destroyForcibly().waitFor();
          return new KitProcess(process.pid(), process.exitValue(), quiet);
        }
      }
      return new KitProcess(process.pid(), process.exitValue(), 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitStatus.INTERRUPTED, "interrupted");
    } finally {
      process.destroyForcibly();
      started.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static int limit(RunNotes notes) {
    return SPARE_SECONDS + (notes.current() == null ? OUTSIDE_SECONDS : notes.seconds());
  }

  /** Says how it ended. */
  KitCrash crash(List<String> command) {
    return stuckSeconds > 0 ? KitCrash.stuck(stuckSeconds) : KitCrash.of(pid, status, command);
  }
}
