// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.sim;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import java.io.PrintWriter;

/** Prints what a communicator warns of, of one of the groups only. */
final class SimLogger implements DebugLogger {
  private final PrintWriter err;
  private final boolean first;

  SimLogger(PrintWriter err, boolean first) {
    this.err = err;
    this.first = first;
  }

  @Override
  public boolean isEnabled(LogLevel level, long subsystems) {
    return first && level == LogLevel.WARN;
  }

  @Override
  public void log(LogLevel level, long subsystems, String location, int line, String message) {
    if (isEnabled(level, subsystems)) {
      err.println("nitinol sim: " + message);
      err.flush();
    }
  }
}
