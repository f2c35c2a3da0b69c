// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.toolkit.ErrorText;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The user's configuration files and directories of plugins. */
final class SetupChecks {
  private static final String PLUGIN_PATH = "plugin path";

  private SetupChecks() {}

  static List<DoctorFinding> look(ExaminedHost host) {
    List<DoctorFinding> found = new ArrayList<>();
    found.add(file("/etc/nccl.conf", Path.of("/etc/nccl.conf")));
    found.add(file("~/.nccl.conf", Path.of(System.getProperty("user.home", ""), ".nccl.conf")));
    String path = host.settings().get(CoreVariables.PLUGIN_PATH);
    if (path.isEmpty()) {
      found.add(DoctorFinding.note(PLUGIN_PATH, CoreVariables.PLUGIN_PATH + " is not set"));
    }
    for (String directory : path.split(File.pathSeparator, -1)) {
      if (!directory.isBlank()) {
        found.addAll(DoctorCheck.run(PLUGIN_PATH, () -> List.of(jars(directory))));
      }
    }
    return found;
  }

  static DoctorFinding file(String name, Path file) {
    if (!Files.exists(file)) {
      return DoctorFinding.note(name, "absent");
    }
    return Files.isReadable(file)
        ? DoctorFinding.ok(name, "read")
        : DoctorFinding.warning(
            name,
            "not readable",
            "What it sets does not count.",
            ErrorText.of("sudo chmod a+r %s", file));
  }

  static DoctorFinding jars(String name) throws IOException {
    Path directory;
    try {
      directory = Path.of(name);
    } catch (InvalidPathException e) {
      return DoctorFinding.warning(
          PLUGIN_PATH,
          ErrorText.of("%s: not a path: %s", name, e.getMessage()),
          "No plugin comes from there.",
          null);
    }
    if (!Files.isDirectory(directory)) {
      return DoctorFinding.warning(
          PLUGIN_PATH, name + ": no such directory", "No plugin comes from there.", null);
    }
    try (Stream<Path> entries = Files.list(directory)) {
      long count = entries.filter(e -> e.toString().endsWith(".jar")).count();
      return DoctorFinding.ok(
          PLUGIN_PATH, ErrorText.of("%s: %d %s", name, count, count == 1 ? "jar" : "jars"));
    } catch (IOException e) {
      throw new IOException(ErrorText.of("cannot list %s: %s", name, ErrorText.reason(e)), e);
    }
  }
}
