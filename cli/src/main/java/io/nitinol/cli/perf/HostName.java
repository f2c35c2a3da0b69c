// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this host, as its kernel knows it: without asking a name server. */
final class HostName {
  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  static String get() {
    try {
      return Files.readString(KERNEL).strip();
    } catch (IOException e) {
      return "localhost"; // a name for the table's header, nothing depends on it
    }
  }
}
