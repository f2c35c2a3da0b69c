// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.cli.command.UserTerminal;
import io.nitinol.core.launch.JvmCommand;
import java.lang.module.ModuleFinder;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the command line that starts this same command again, with the same JVM, options and
 * module path.
 */
public final class OwnCommand {
  /** Named and not referred to: it knows every command, and no command knows it. */
  private static final String MAIN = "io.nitinol.cli.Main";

  /** What the vector kernels need; incubating, so not everywhere. */
  private static final String VECTOR_MODULE = "jdk.incubator.vector";

  private OwnCommand() {}

  /** Returns the command line of a rank, which also gets what the vector kernels need. */
  public static List<String> ofRank(List<String> arguments) {
    return ofRank(arguments, List.of());
  }

  /** Returns the same with further options for the JVM. */
  static List<String> ofRank(List<String> arguments, List<String> options) {
    List<String> all = new ArrayList<>(options);
    if (UserTerminal.showsErrors()) {
      all.add("-D" + UserTerminal.ERRORS_SHOWN + "=true");
    }
    if (ModuleFinder.ofSystem().find(VECTOR_MODULE).isPresent()) {
      all.addAll(List.of("--add-modules", VECTOR_MODULE));
    }
    return with(arguments, all);
  }

  /** Returns the command line that runs {@code nitinol} with {@code arguments}. */
  public static List<String> with(List<String> arguments) {
    return with(arguments, List.of());
  }

  /** Returns the same with further options for the JVM. */
  public static List<String> with(List<String> arguments, List<String> options) {
    try {
      return JvmCommand.ofThisProcess()
          .with(options)
          .run(OwnCommand.class.getModule(), MAIN, arguments);
    } catch (IllegalStateException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }
}
