// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.InterfaceSearch;
import io.nitinol.toolkit.SocketInterface;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes the user's setup: interfaces, configuration files, directories of plugins. */
final class UserSetup {
  private static final int MANY = 64;

  private UserSetup() {}

  static void describe(TextTable table, Settings settings) {
    table.row("interfaces", interfaces(settings));
    table.row("/etc/nccl.conf", presence(Path.of("/etc/nccl.conf")));
    table.row("~/.nccl.conf", presence(Path.of(System.getProperty("user.home", ""), ".nccl.conf")));
    String path = settings.get(CoreVariables.PLUGIN_PATH);
    if (path.isEmpty()) {
      table.row("plugin path", CoreVariables.PLUGIN_PATH + " is not set");
    }
    for (String directory : path.split(File.pathSeparator, -1)) {
      if (!directory.isBlank()) {
        table.row("plugin path", directory + ": " + jars(Path.of(directory)));
      }
    }
  }

  private static String interfaces(Settings settings) {
    List<SocketInterface> found = InterfaceSearch.find(settings, null, MANY);
    if (found.isEmpty()) {
      return InterfaceSearch.explain(settings);
    }
    String names =
        found.stream()
            .map(i -> i.name() + " " + i.address().getHostAddress())
            .collect(Collectors.joining(", "));
    return names
        + (settings.isSet(InterfaceSearch.IFNAME)
            ? " (chosen by %s=%s)"
                .formatted(InterfaceSearch.IFNAME, settings.get(InterfaceSearch.IFNAME))
            : " (the first kind found of: ib*, others, docker*, lo)");
  }

  private static String presence(Path file) {
    if (!Files.exists(file)) {
      return "absent";
    }
    return Files.isReadable(file) ? "read" : "not readable";
  }

  private static String jars(Path directory) {
    if (!Files.isDirectory(directory)) {
      return "no such directory";
    }
    try (Stream<Path> entries = Files.list(directory)) {
      long count = entries.filter(e -> e.toString().endsWith(".jar")).count();
      return count + (count == 1 ? " jar" : " jars");
    } catch (IOException e) {
      return "not readable: " + e;
    }
  }
}
