// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.command.ExitStatus;
import java.io.IOException;

/**
 * Ends a rank whose launcher has died: its standard input is a pipe that ends with the launcher.
 */
public final class LauncherWatch {
  private LauncherWatch() {}

  /** Starts to watch, in a rank that {@link Launcher} started without a guard. */
  public static void start() {
    Thread.ofPlatform().daemon().name("launcher-watch").start(LauncherWatch::await);
  }

  private static void await() {
    try {
      while (System.in.read() >= 0) {
        // The launcher writes nothing; input is ignored.
      }
    } catch (IOException e) {
      System.err.println("the pipe from the launcher broke: " + e);
    }
    // Not exit(): no launcher is left to see an orderly end, and a stuck hook would leave an
    // orphan.
    Runtime.getRuntime().halt(ExitStatus.RANK_DIED);
  }
}
