// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.core.plugin.PluginOrigin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where plugins come from, by short names, each of which is explained once.
 *
 * @param names by place, its short name; the place itself where another place has that name
 */
record PluginPlaces(Map<PluginOrigin, String> names) {
  static PluginPlaces of(List<PluginDescription> plugins) {
    Map<String, Set<String>> places = new HashMap<>();
    for (PluginDescription plugin : plugins) {
      places
          .computeIfAbsent(plugin.origin().shortName(), _ -> new HashSet<>())
          .add(plugin.origin().location());
    }
    Map<PluginOrigin, String> names = new LinkedHashMap<>();
    for (PluginDescription plugin : plugins) {
      PluginOrigin origin = plugin.origin();
      boolean alone = places.getOrDefault(origin.shortName(), Set.of()).size() == 1;
      names.put(origin, alone ? origin.shortName() : origin.toString());
    }
    return new PluginPlaces(names);
  }

  String name(PluginOrigin origin) {
    return names.getOrDefault(origin, origin.toString());
  }

  /** Returns a line for each place whose name is shorter than it, and a blank one behind them. */
  List<String> lines() {
    TextTable table = new TextTable("FROM", "IS");
    names.forEach((origin, name) -> {
      if (name.equals(origin.shortName()) && !name.equals(origin.location())) {
        table.row(name, origin.location());
      }
    });
    List<String> lines = new ArrayList<>(table.lines());
    if (lines.size() == 1) {
      return List.of();
    }
    lines.add("");
    return lines;
  }
}
