// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.ExitStatus;
import io.nitinol.cli.Failure;
import io.nitinol.core.launch.JvmCommand;
import java.util.List;

/** How to start this same command again: with the same JVM, options and module path. */
public final class OwnCommand {
  /** Named and not referred to: it knows every command, and no command knows it. */
  private static final String MAIN = "io.nitinol.cli.Main";

  private OwnCommand() {}

  /** Returns the command line that runs {@code nitinol} with {@code arguments}. */
  public static List<String> with(List<String> arguments) {
    try {
      return JvmCommand.ofThisProcess().run(OwnCommand.class.getModule(), MAIN, arguments);
    } catch (IllegalStateException e) {
      throw new Failure(ExitStatus.USAGE, String.valueOf(e.getMessage()));
    }
  }
}
