// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.config.Settings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jars and directories to open: what {@code NITINOL_PLUGIN_PATH} holds, then the paths in
 * {@code NCCL_NET_PLUGIN} that it does not.
 */
final class PluginLocations {
  private final Map<Path, List<Path>> byEntry = new LinkedHashMap<>();
  private final Set<Path> plugins = new LinkedHashSet<>();

  private PluginLocations() {}

  /**
   * Finds the locations. With {@code NCCL_NET_PLUGIN=none} nothing is opened.
   *
   * @param rejected gets the entries that lead nowhere
   */
  static PluginLocations of(
      Settings settings, ExternalPlugins external, List<PluginDescription> rejected) {
    PluginLocations locations = new PluginLocations();
    String source = WhereSet.name(settings, CoreVariables.PLUGIN_PATH);
    for (String entry : settings.get(CoreVariables.PLUGIN_PATH).split(":", -1)) {
      if (!entry.isBlank()) {
        locations.addEntry(entry.strip(), source, external, rejected);
      }
    }
    for (String path : external.paths()) {
      locations.addNamed(path, external.source(), rejected);
    }
    return locations;
  }

  /** Returns the plugins to open, in order. */
  List<Path> plugins() {
    return List.copyOf(plugins);
  }

  /** Returns where the plugins are that a path in {@code NCCL_NET_PLUGIN} names. */
  List<String> namedBy(String text) {
    try {
      Path path = PluginFiles.parse(text);
      return byEntry.getOrDefault(path, List.of(path)).stream().map(Path::toString).toList();
    } catch (UnloadablePluginException e) {
      return List.of();
    }
  }

  private void addEntry(
      String entry, String source, ExternalPlugins external, List<PluginDescription> rejected) {
    try {
      Path path = PluginFiles.parse(entry);
      List<Path> found = PluginFiles.plugins(path);
      if (external.isNone()) {
        found.forEach(plugin -> rejected.add(unopened(plugin, external)));
        return;
      }
      byEntry.put(path, found);
      plugins.addAll(found);
    } catch (UnloadablePluginException e) {
      rejected.add(unusable(entry, source, e));
    }
  }

  private void addNamed(String text, String source, List<PluginDescription> rejected) {
    try {
      Path path = PluginFiles.parse(text);
      if (byEntry.containsKey(path) || plugins.contains(path)) {
        return;
      }
      PluginFiles.parts(path);
      plugins.add(path);
    } catch (UnloadablePluginException e) {
      rejected.add(unusable(text, source, e));
    }
  }

  private static PluginDescription unopened(Path plugin, ExternalPlugins external) {
    return PluginDescription.rejected(
            PluginKind.NET,
            PluginFiles.fileName(plugin),
            null,
            new PluginOrigin(false, null, plugin.toString()),
            "")
        .with(PluginState.EXCLUDED, "not opened: " + external.source() + " is none");
  }

  private static PluginDescription unusable(
      String entry, String source, UnloadablePluginException e) {
    return PluginDescription.rejected(
        PluginKind.NET,
        entry,
        null,
        new PluginOrigin(false, null, entry),
        "the entry " + entry + " of " + source + " " + e.getMessage());
  }
}
