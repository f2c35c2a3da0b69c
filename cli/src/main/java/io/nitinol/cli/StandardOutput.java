// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli;

import io.nitinol.cli.command.ExitStatus;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks at the end that all output was written. {@link System#out} swallows errors, so a full disk
 * would pass for success.
 */
final class StandardOutput {
  private static final Path LINUX_STDOUT = Path.of("/proc/self/fd/1");

  private StandardOutput() {}

  /**
   * Writes what is left of the output and sees whether all of it has been written.
   *
   * @param status the exit status so far, which stays where it is a failure of another kind already
   * @param err where a failure is told; a reader that has left, as {@code head} does, is none
   * @return the exit status
   */
  static int finish(int status, PrintWriter err) {
    if (!System.out.checkError()) {
      return status;
    }
    String problem = problem();
    boolean well = status == ExitStatus.OK || status == ExitStatus.READER_GONE;
    if (isPipe() || problem.contains("Broken pipe")) {
      return well ? ExitStatus.READER_GONE : status;
    }
    err.println("nitinol: cannot write all of the output to stdout: " + problem);
    err.flush();
    return well ? ExitStatus.INTERNAL : status;
  }

  /** Asks again, since the stream does not keep what it met; it has lost bytes already. */
  private static String problem() {
    try {
      // Not closed: the descriptor is the process's.
      new FileOutputStream(FileDescriptor.out).write('\n');
      return "some writes failed";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Returns whether stdout is a pipe or socket, which fails only when its reader has left. */
  private static boolean isPipe() {
    try {
      String target = Files.readSymbolicLink(LINUX_STDOUT).toString();
      return target.startsWith("pipe:") || target.startsWith("socket:");
    } catch (IOException | UnsupportedOperationException e) {
      return false; // a system that tells it by the message only
    }
  }
}
