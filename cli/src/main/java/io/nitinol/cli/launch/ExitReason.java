// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.command.ExitStatus;
import java.util.Set;

/** Describes how a process ended. */
public final class ExitReason {
  // Java reports a death by signal n as exit status 128 + n.
  private static final int SIGNAL = 128;
  private static final int LAST_SIGNAL = 64;

  /** The statuses of a JVM that was asked to end: by SIGHUP, SIGINT and SIGTERM. */
  private static final Set<Integer> ASKED =
      Set.of(SIGNAL + 1, ExitStatus.INTERRUPTED, ExitStatus.TERMINATED);

  private ExitReason() {}

  /**
   * Returns whether a JVM that was asked to end has this exit status. So has one whose plugin calls
   * exit with it: the status alone proves nothing.
   */
  public static boolean isAsked(int status) {
    return ASKED.contains(status);
  }

  /**
   * Returns the exit status for a process that was asked to end: its own, or that of SIGTERM. Its
   * own may be any, and 0 as well, where a plugin calls halt or {@code _exit} while the JVM ends.
   */
  public static int asked(int status) {
    return isAsked(status) ? status : ExitStatus.TERMINATED;
  }

  /** Returns whether a process with this exit status was ended by a signal. */
  public static boolean isSignal(int status) {
    return status > SIGNAL && status <= SIGNAL + LAST_SIGNAL;
  }

  /** Returns what comes after "rank 1 ", such as {@code was killed by signal 9 (SIGKILL)}. */
  public static String describe(int status) {
    if (!isSignal(status)) {
      return exit(status);
    }
    int signal = status - SIGNAL;
    String name =
        switch (signal) {
          case 1 -> " (SIGHUP)";
          case 2 -> " (SIGINT)";
          case 3 -> " (SIGQUIT)";
          case 4 -> " (SIGILL)";
          case 6 -> " (SIGABRT)";
          case 7 -> " (SIGBUS)";
          case 8 -> " (SIGFPE)";
          case 9 -> " (SIGKILL)";
          case 11 -> " (SIGSEGV)";
          case 13 -> " (SIGPIPE)";
          case 15 -> " (SIGTERM)";
          default -> "";
        };
    return "was killed by signal " + signal + name;
  }

  /** Returns the same of a process that has ended itself, whatever its exit status. */
  public static String exit(int status) {
    return "ended with exit status " + status;
  }
}
