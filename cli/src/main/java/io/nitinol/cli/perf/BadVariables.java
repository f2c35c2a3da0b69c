// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.core.SettingsCheck;
import io.nitinol.core.log.Log;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.config.Settings;
import java.io.PrintWriter;

/** Warns of variables whose values are not understood, even if the log is off. */
final class BadVariables {
  private BadVariables() {}

  /** Says it, unless the log does. */
  static void warn(PrintWriter err) {
    if (Log.process().isEnabled(LogLevel.WARN, -1L)) {
      return;
    }
    for (String mistake : SettingsCheck.mistakes(Settings.process())) {
      err.println("nitinol perf: " + mistake);
    }
    err.flush();
  }
}
