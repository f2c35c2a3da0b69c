// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.command;

import io.nitinol.core.SettingsCheck;
import io.nitinol.spi.config.Settings;
import java.io.PrintWriter;

/** What commands report of the variables of this process before they do anything. */
public final class SettingsReport {
  private SettingsReport() {}

  /**
   * Ends the command where a variable asks for something without which it must not go on.
   *
   * @throws CommandFailure with {@link ExitStatus#USAGE}
   */
  public static void refuse() {
    String refusal = SettingsCheck.refusal(Settings.process());
    if (refusal != null) {
      throw CommandFailure.usage(refusal);
    }
  }

  /**
   * Warns of variables that ask for what cannot be had. There may be a log, too: it has only the
   * lines of what this job comes to use.
   *
   * @param command what the lines begin with, such as {@code nitinol perf}
   */
  public static void warn(PrintWriter err, String command) {
    SettingsCheck.mistakes(Settings.process())
        .forEach(mistake -> err.println(command + ": " + mistake));
    err.flush();
  }
}
