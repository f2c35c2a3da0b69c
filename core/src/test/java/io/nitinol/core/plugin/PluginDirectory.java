// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.NetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A directory of plugins in {@code NITINOL_PLUGIN_PATH}, and what discovery makes of it. */
abstract class PluginDirectory {

  @TempDir Path directory;
  Path plugins;
  final RecordedLog log = new RecordedLog();
  private int jars;

  @BeforeEach
  void makeDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
  }

  final PluginJar jar() {
    return new PluginJar(directory.resolve("work" + jars++));
  }

  final List<PluginDescription> discover(String... variables) {
    Map<String, String> values = new HashMap<>();
    values.put("NITINOL_PLUGIN_PATH", plugins.toString());
    for (int i = 0; i < variables.length; i += 2) {
      values.put(variables[i], variables[i + 1]);
    }
    return PluginCatalog.discover(Environment.of(values), log).describe();
  }

  static PluginDescription only(List<PluginDescription> all) {
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  static boolean modular() {
    return NetException.class.getModule().isNamed();
  }

  static void copyAsJar(Path from, Path to) throws IOException {
    if (Files.isRegularFile(from)) {
      Files.copy(from, to);
      return;
    }
    java.util.spi.ToolProvider jar = java.util.spi.ToolProvider.findFirst("jar").orElseThrow();
    assertThat(
            jar.run(System.err, System.err, "-c", "-f", to.toString(), "-C", from.toString(), "."))
        .isZero();
  }
}
