// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.launch.ReportLine.Kind;
import io.nitinol.core.config.LaunchVariables;
import io.nitinol.core.plugin.PluginWatch;
import io.nitinol.toolkit.ExitCall;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What a process that {@link Launcher} or {@link ContainedCommand} has started reports to it. A
 * plugin may end this process with any exit status at any time. So the exit status alone proves
 * nothing, and the parent believes what is reported here.
 */
@AnyThread
public final class ParentReport {
  private static volatile boolean ending;

  private ParentReport() {}

  /** Returns whether the process that started this one reads reports. */
  public static boolean isWanted() {
    return isRank(System.getenv()) || ContainedCommand.isInside();
  }

  /** Returns whether {@code nitinol perf} has started this process as one of its ranks. */
  public static boolean isRank(Map<String, String> environment) {
    return environment.containsKey(LaunchVariables.LAUNCHED.name());
  }

  /**
   * Begins, once and before any plugin is loaded: this process ends with its parent from now on,
   * and the parent learns which plugin is called, and whether a signal ends this process or a call
   * of {@link System#exit}, and whose.
   */
  public static void begin() {
    LauncherWatch.start();
    PluginWatch.listen(plugin -> tell(Kind.PLUGIN, plugin));
    Runtime.getRuntime().addShutdownHook(new Thread(ParentReport::tellEnd, "report-end"));
  }

  /** Reports that this rank has met the others. */
  public static void met() {
    tell(Kind.MET, "");
  }

  /** Reports why this process is about to end. */
  public static void failure(FailureRecord failure) {
    tell(failure.line());
  }

  /** Reports the exit status, last: what comes after it has no bearing on the result. */
  public static void status(int status) {
    ending = true;
    tell(Kind.STATUS, Integer.toString(status));
  }

  private static void tellEnd() {
    if (ending) {
      return;
    }
    String caller = ExitCall.find();
    if (caller != null) {
      tell(Kind.EXIT, caller);
    } else if (ExitCall.isSignal()) {
      tell(Kind.SIGNAL, "");
    }
  }

  private static void tell(Kind kind, String text) {
    tell(new ReportLine(kind, text));
  }

  /** Writes by the descriptor itself, since a plugin may have replaced System.err. */
  private static void tell(ReportLine line) {
    try {
      // Not closed: the descriptor belongs to the process.
      new FileOutputStream(FileDescriptor.err)
          .write((line.encode() + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      return; // the parent has gone, or somebody has closed stderr: it will miss the report
    }
  }
}
