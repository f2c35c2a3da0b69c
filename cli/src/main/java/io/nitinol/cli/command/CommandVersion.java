// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.command;

import picocli.CommandLine.IVersionProvider;

/** What {@code nitinol --version} prints. */
public final class CommandVersion implements IVersionProvider {
  /** Made by picocli. */
  public CommandVersion() {}

  @Override
  public String[] getVersion() {
    return new String[] {"nitinol " + nitinol(), platform()};
  }

  /** Returns the version this module was compiled as, which survives jlink, or "development". */
  public static String nitinol() {
    Module module = CommandVersion.class.getModule();
    if (!module.isNamed()) {
      return "development";
    }
    return module.getDescriptor().rawVersion().orElse("development");
  }

  /** Returns the Java run time, operating system and architecture in one line. */
  public static String platform() {
    return "Java %s (%s), %s %s %s"
        .formatted(
            Runtime.version(),
            System.getProperty("java.vendor"),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch"));
  }
}
