// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How to start a JVM like this one with another main class. */
public final class ChildJvm {
  private ChildJvm() {}

  /**
   * Returns a command line with the paths of this JVM.
   *
   * @param options options for the JVM
   * @param main the main class, of this module
   * @param arguments its arguments
   */
  public static List<String> command(List<String> options, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Xshare:auto");
    Module module = main.getModule();
    if (module.isNamed()) {
      command.add("--enable-native-access=ALL-UNNAMED");
      String path = System.getProperty("jdk.module.path");
      if (path != null) {
        command.addAll(List.of("--module-path", path, "--add-modules", "ALL-MODULE-PATH"));
      }
      command.addAll(List.of("--module", module.getName() + "/" + main.getName()));
    } else {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    }
    command.addAll(arguments);
    return command;
  }
}
