// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.shm.ProcessName;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;

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
      throw CommandFailure.usage("cannot start a second process: " + e.getMessage());
    }
    pipe = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  /**
   * Says that a process is about to be started, and returns a variable for it. Until {@link #watch}
   * names the process, the guard knows it by that variable: a launcher that is killed in between
   * leaves no orphan either.
   */
  Map<String, String> expect() {
    String mark = UUID.randomUUID().toString();
    send(WatchdogCommand.EXPECT + mark);
    return Map.of(LaunchVariables.GUARD.name(), mark);
  }

  /** From now on {@code child} dies with the launcher. */
  void watch(ProcessHandle child) {
    ProcessName name = ProcessName.of(child.pid());
    send(WatchdogCommand.WATCH + (name == null ? "" : name.toString())); // null: it has ended
  }

  /** Stops watching {@code child}, which has ended. */
  void forget(ProcessHandle child) {
    send(WatchdogCommand.FORGET + Long.toString(child.pid()));
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
