// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.cli.ExitStatus;
import io.nitinol.cli.Failure;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How to start this same command again: with the same JVM, options and module path. */
public final class OwnCommand {
  private static final String MAIN = "io.nitinol.cli.Main";
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private OwnCommand() {}

  /**
   * Returns the command line that this process was started with, with {@code arguments} instead.
   */
  public static List<String> with(List<String> arguments) {
    String text;
    try {
      // ProcessHandle.info() stops at 4096 bytes, which a module path can exceed.
      text =
          Files.readString(
              COMMAND_LINE, Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
    } catch (IOException e) {
      throw new Failure(
          ExitStatus.USAGE,
          "cannot read " + COMMAND_LINE + " to start ranks like this process: " + e);
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return replaceArguments(java, List.of(text.split("\0", -1)), arguments);
  }

  /**
   * Keeps the options of the JVM, exchanges what is before and after.
   *
   * @param java the program to start: the first word may be a relative name or a link
   * @param own the words of this process's command line
   */
  static List<String> replaceArguments(String java, List<String> own, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(java);
    for (int i = 1; i < own.size(); i++) {
      command.add(own.get(i));
      if (own.get(i).equals(MAIN) || own.get(i).endsWith("/" + MAIN)) {
        command.addAll(arguments);
        return command;
      }
    }
    throw new Failure(
        ExitStatus.USAGE,
        "this process was not started as " + MAIN + ", so that ranks cannot be started like it");
  }
}
