// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The {@code nitinol} command of this build, for a guest. */
final class NitinolCommand {
  private NitinolCommand() {}

  /**
   * Returns a run of the command.
   *
   * @param name the name of its result
   * @param variables what its settings are
   */
  static GuestCommand of(
      String name, Duration limit, Map<String, String> variables, String... arguments) {
    String path = System.getProperty("nitinol.module.path");
    if (path == null) {
      throw new IllegalStateException(
          "the build sets nitinol.module.path; run these tests by Maven");
    }
    List<String> words = new ArrayList<>(List.of("java", "-Xmx128m"));
    words.add(
        "--enable-native-access=ALL-UNNAMED,io.nitinol.cli,io.nitinol.tck,io.nitinol.core,"
            + "io.nitinol.net.socket,io.nitinol.net.ib");
    words.addAll(List.of("--module-path", path, "--add-modules", "ALL-MODULE-PATH"));
    words.addAll(List.of("-m", "io.nitinol.cli/io.nitinol.cli.Main"));
    words.addAll(List.of(arguments));
    return new GuestCommand(name, words, variables, limit);
  }
}
