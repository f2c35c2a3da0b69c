// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds names that classes of several modules have. Bindings are named after C's types and left
 * out; so are package-infos. Versions of an interface have one name and one module.
 */
final class SharedNames {
  private SharedNames() {}

  /**
   * Returns the simple names that are in more than one module, and which classes have them.
   *
   * @param modules the full names of the top-level classes of each module, by the module's name
   */
  static Map<String, Collection<String>> of(Map<String, ? extends Collection<String>> modules) {
    Map<String, Collection<String>> homes = new TreeMap<>();
    Map<String, Collection<String>> classes = new TreeMap<>();
    modules.forEach((module, names) -> {
      for (String name : names) {
        int dot = name.lastIndexOf('.');
        String simple = name.substring(dot + 1);
        if (!simple.endsWith("-info") && !HouseRules.isBindings(name.substring(0, dot))) {
          homes.computeIfAbsent(simple, any -> new TreeSet<>()).add(module);
          classes.computeIfAbsent(simple, any -> new TreeSet<>()).add(name);
        }
      }
    });
    classes.keySet().removeIf(simple -> homes.get(simple).size() < 2);
    return classes;
  }
}
