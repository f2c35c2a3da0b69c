// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Sees to it that programs which know nothing of Nitinol do not outlive their launcher, even where
 * that is killed by SIGKILL: a second process, which reads from a pipe what is to be watched, and
 * kills it when the pipe ends.
 */
public final class OrphanGuard implements AutoCloseable {
  private final Process process;
  private final Writer pipe;

  /** Starts the second process. */
  public OrphanGuard() {
    try {
      process =
          new ProcessBuilder(OwnCommand.with(List.of(WatchdogCommand.NAME)))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
    } catch (IOException e) {
      throw new CommandFailure(
          ExitStatus.USAGE, "cannot start a second process: " + e.getMessage());
    }
    pipe = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  /** From now on {@code child} dies with the launcher. */
  void watch(ProcessHandle child) {
    // The start tells a process from a later one with the same number.
    String started = child.info().startInstant().map(Object::toString).orElse("?");
    send("+" + child.pid() + " " + started);
  }

  /** Stops watching {@code child}, which has ended. */
  void forget(ProcessHandle child) {
    send("-" + child.pid());
  }

  private synchronized void send(String line) {
    try {
      pipe.write(line + "\n");
      pipe.flush();
    } catch (IOException e) {
      throw new CommandFailure(
          ExitStatus.RANK_DIED, "the process that guards the ranks has died: " + e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
