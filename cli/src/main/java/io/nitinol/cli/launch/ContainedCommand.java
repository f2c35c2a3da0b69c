// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.ExitStatus;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Runs this same command again in a process of its own, since it calls plugins, and a plugin may
 * end its process with any exit status. This process then tells the user so. The result is what the
 * other process reports by {@link ParentReport}.
 *
 * <p>For a debugger, which sees one process only, {@code -Dnitinol.contained=never} among the JVM's
 * options has the command do everything itself.
 */
public final class ContainedCommand {
  private static final String PROPERTY = "nitinol.contained";
  private static final String INSIDE = "inside";
  private static final String NEVER = "never";

  /** From asking the process to end to killing it. */
  private static final long TERMINATE_MILLIS = 2_000;

  private final String title;
  private final List<String> arguments;
  private final int statusOfDeath;

  /**
   * Prepares the command.
   *
   * @param statusOfDeath the exit status for a process that ends before it has reported
   */
  public ContainedCommand(CommandSpec spec, int statusOfDeath) {
    this.title = spec.qualifiedName();
    this.arguments = spec.root().commandLine().getParseResult().originalArgs();
    this.statusOfDeath = statusOfDeath;
  }

  /** Returns whether this process is the one that calls the plugins. */
  public static boolean isInside() {
    return INSIDE.equals(System.getProperty(PROPERTY));
  }

  /** Returns whether the command is to be run in a process of its own. */
  public static boolean isNeeded() {
    return !ParentReport.isWanted() && !NEVER.equals(System.getProperty(PROPERTY));
  }

  /** Runs the command to its end and returns the exit status. */
  public int run() {
    List<String> command =
        OwnCommand.ofRank(arguments, List.of("-D%s=%s".formatted(PROPERTY, INSIDE)));
    LaunchedProcess process;
    try {
      process = LaunchedProcess.start(new ProcessBuilder(command), System.err);
    } catch (IOException e) {
      throw CommandFailure.usage(
          OpenFiles.ranOut(e)
              ? OpenFiles.sentence()
              : "cannot start a second process: " + e.getMessage());
    }
    SignalRelay.to(process.process());
    // It stays for good: the end of this process may have begun when the other one has ended.
    ShutdownWatch shutdown = ShutdownWatch.start("contained-stop", () -> end(process));
    try {
      process.process().waitFor();
      process.awaitReport();
      process.drain();
      return conclude(process, shutdown);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitStatus.INTERRUPTED, "interrupted");
    } finally {
      end(process);
    }
  }

  private int conclude(LaunchedProcess process, ShutdownWatch shutdown)
      throws InterruptedException {
    int exit = process.exitStatus();
    if (process.wasAskedToEnd() || shutdown.hasBegun(!process.hasDied(), exit)) {
      return ExitReason.asked(exit);
    }
    FailureRecord failure = process.failure();
    if (failure != null) {
      System.err.println(title + ": " + failure.message());
    }
    if (process.hasDied()) {
      System.err.println(title + ": " + process.describe());
      return statusOfDeath;
    }
    int status = process.status();
    if (status == ExitStatus.RANK_DIED && status != exit) {
      System.err.println(title + ": " + process.describe()); // it died after its report
      return statusOfDeath;
    }
    return status;
  }

  private static void end(LaunchedProcess process) {
    if (!process.process().isAlive()) {
      return;
    }
    process.terminate();
    try {
      if (!process.process().waitFor(TERMINATE_MILLIS, TimeUnit.MILLISECONDS)) {
        process.kill();
      }
    } catch (InterruptedException e) {
      process.kill();
      Thread.currentThread().interrupt();
    }
  }
}
