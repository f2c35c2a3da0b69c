// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.tck;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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

  /** How long a process may take to end when it has noted that another one is to go on. */
  private static final int RENEWAL_SECONDS = 3;

  /** More bytes than such a note has. */
  private static final int LAST_NOTE = 8_192;

  /**
   * Runs a process to its end, with this one's stdin, stdout and stderr, and ends what it has left.
   *
   * @param command its command line
   * @param notes the file in which it notes how it gets on
   * @param pace how many times longer than usual everything takes
   * @param grown called when there are new notes
   * @throws CommandFailure when this thread is interrupted
   */
  static KitProcess run(List<String> command, Path notes, double pace, Runnable grown)
      throws IOException {
    long size = Files.size(notes); // what other processes have noted
    Process process = new ProcessBuilder(command).inheritIO().start();
    // Its own processes have no parent once it has ended, so that nothing leads to them any more.
    Set<ProcessHandle> started = new HashSet<>();
    try {
      long changed = System.nanoTime();
      while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        started.removeIf(each -> !each.isAlive());
        process.descendants().forEach(started::add);
        long now = System.nanoTime();
        long newSize = Files.size(notes);
        if (newSize != size) {
          changed = now;
          if (isRenewal(notes, size, newSize)
              && !process.waitFor(Math.round(RENEWAL_SECONDS * pace), TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor(); // the call that does not return holds the JVM
          }
          size = newSize;
          grown.run();
        }
        int quiet = (int) TimeUnit.NANOSECONDS.toSeconds(now - changed);
        if (quiet > SPARE_SECONDS && quiet > limit(RunNotes.read(notes), pace)) {
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

  /** A test has twice its bound, of which it does not count the time without a core. */
  private static double limit(RunNotes notes, double pace) {
    double spare = SPARE_SECONDS * pace;
    return notes.current() == null ? spare + OUTSIDE_SECONDS * pace : spare + 2.0 * notes.seconds();
  }

  /** Returns whether the process has noted that another one is to go on. */
  private static boolean isRenewal(Path notes, long from, long to) throws IOException {
    try (FileChannel file = FileChannel.open(notes)) {
      ByteBuffer added = ByteBuffer.allocate((int) Math.min(LAST_NOTE, to - from));
      file.read(added, to - added.capacity());
      return new String(added.array(), 0, added.position(), StandardCharsets.UTF_8)
          .contains("\n{\"" + NoteWriter.RENEW + "\":");
    }
  }

  /** Says how it ended. */
  KitCrash crash(List<String> command) {
    return stuckSeconds > 0 ? KitCrash.stuck(stuckSeconds) : KitCrash.of(pid, status, command);
  }
}
