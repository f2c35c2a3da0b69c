// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.io.PrintWriter;

/** Explains the silence while many more ranks start than there are cores. */
final class CrowdedHost {
  /** From so many ranks for each core on it takes long enough to be wondered at. */
  private static final int RANKS_PER_CORE = 4;

  private CrowdedHost() {}

  /** Says that it is going to take a while. */
  static void warn(PrintWriter err, int ranks) {
    int cores = Runtime.getRuntime().availableProcessors();
    if (isCrowded(ranks, cores)) {
      say(err, ranks + " ranks share " + cores + " cores: to start them may take a minute");
    }
  }

  /** Says that the ranks have met and go to work. */
  static void connected(PrintWriter err, int ranks) {
    if (isCrowded(ranks, Runtime.getRuntime().availableProcessors())) {
      say(err, "all " + ranks + " ranks are connected, and warm up");
    }
  }

  static boolean isCrowded(int ranks, int cores) {
    return ranks > RANKS_PER_CORE * cores;
  }

  private static void say(PrintWriter err, String what) {
    err.println("nitinol perf: " + what);
    err.flush();
  }
}
