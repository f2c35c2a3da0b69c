// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CloseNames;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What {@code NCCL_NET_PLUGIN} says: which external plugins are candidates, in which order. An
 * entry is a plugin's name, its module or its path, or else the name or path of a native library as
 * NCCL looks it up; the whole value {@code none} leaves only the built-in networks; not set leaves
 * all plugins in the order in which they were found.
 */
final class ExternalPlugins {
  /** The networks that come last, in this order, and that only NCCL_NET leaves out. */
  private static final List<String> BUILT_IN = List.of("IB", "Socket");

  /** NCCL has room for that many external plugins. */
  private static final int MAX_LIBRARIES = 14;

  private final List<String> entries;
  private final String source;
  private final Map<String, FoundLibrary> libraries = new HashMap<>();

  private ExternalPlugins(List<String> entries, String source) {
    this.entries = entries;
    this.source = source;
  }

  static ExternalPlugins in(Settings settings) {
    List<String> entries =
        Arrays.stream(settings.get(CoreVariables.NET_PLUGIN).split(",", -1))
            .map(String::strip)
            .filter(entry -> !entry.isEmpty())
            .toList();
    return new ExternalPlugins(entries, WhereSet.name(settings, CoreVariables.NET_PLUGIN));
  }

  /** Returns whether {@code candidate} is one of the networks that come last. */
  static boolean isBuiltIn(Candidate<Net> candidate) {
    return candidate.origin().application() && BUILT_IN.stream().anyMatch(candidate::isNamed);
  }

  /** Returns the variable and where it was set, for messages. */
  String source() {
    return source;
  }

  boolean isNone() {
    return entries.size() == 1 && entries.getFirst().equalsIgnoreCase("none");
  }

  /** Returns the entries that are paths, in order. */
  List<String> paths() {
    return entries.stream().filter(entry -> isPath(entry) && !PluginFiles.isNative(entry)).toList();
  }

  /**
   * Returns the entries that may name a native library, since they name nothing else; the empty one
   * where the variable is not set.
   *
   * @param found the candidates that are no libraries
   */
  List<String> unresolved(List<Candidate<Net>> found, PluginLocations locations) {
    if (isNone()) {
      return List.of();
    }
    if (entries.isEmpty()) {
      return List.of("");
    }
    return entries.stream()
        .limit(MAX_LIBRARIES)
        .filter(entry -> named(entry, found, locations).isEmpty())
        .filter(entry -> !isPath(entry) || PluginFiles.isNative(entry))
        .toList();
  }

  /** Remembers the native library that {@code entry} leads to. */
  void resolve(String entry, FoundLibrary library) {
    libraries.put(entry, library);
  }

  /**
   * Returns all candidates in the order in which a selection tries them: those that are listed, the
   * built-in ones, then, out, those that are not listed.
   *
   * @param found in the order of discovery
   * @param rejected what discovery rejected; gets the entries that name nothing
   */
  List<Candidate<Net>> order(
      List<Candidate<Net>> found, List<PluginDescription> rejected, PluginLocations locations) {
    List<Candidate<Net>> builtIn =
        BUILT_IN.stream()
            .flatMap(name -> found.stream().filter(c -> isBuiltIn(c) && c.isNamed(name)))
            .toList();
    List<Candidate<Net>> others = new ArrayList<>(found);
    others.removeAll(builtIn);
    Set<Candidate<Net>> ordered = new LinkedHashSet<>();
    if (entries.isEmpty()) {
      ordered.addAll(others);
    } else if (!isNone()) {
      for (String entry : entries) {
        List<Candidate<Net>> named = named(entry, others, locations);
        ordered.addAll(named);
        if (named.isEmpty()) {
          explain(entry, others, builtIn, rejected, locations);
        }
      }
    }
    ordered.addAll(builtIn);
    for (Candidate<Net> candidate : others) {
      if (ordered.add(candidate)) {
        candidate.dismiss(
            PluginState.EXCLUDED,
            source + " is " + String.join(",", entries) + " and does not name it");
      }
    }
    return new ArrayList<>(ordered);
  }

  private List<Candidate<Net>> named(
      String entry, List<Candidate<Net>> candidates, PluginLocations locations) {
    List<String> paths = isPath(entry) ? locations.namedBy(entry) : List.of();
    FoundLibrary library = libraries.get(entry);
    String file = library == null ? null : library.location();
    return candidates.stream()
        .filter(c ->
            c.isNamed(entry)
                || entry.equals(c.origin().module())
                || paths.contains(c.origin().location())
                || c.origin().location().equals(file))
        .toList();
  }

  private void explain(
      String entry,
      List<Candidate<Net>> others,
      List<Candidate<Net>> builtIn,
      List<PluginDescription> rejected,
      PluginLocations locations) {
    List<String> paths = isPath(entry) ? locations.namedBy(entry) : List.of();
    for (PluginDescription known : rejected) {
      if (known.name().equalsIgnoreCase(entry)
          || entry.equals(known.origin().module())
          || paths.contains(known.origin().location())) {
        return; // its own reason says more than that it is missing
      }
    }
    String reason;
    FoundLibrary library = libraries.get(entry);
    String failures = library == null ? "" : String.join("; ", library.failures());
    if (PluginFiles.isNative(entry)) {
      reason = library == null ? "NCCL takes at most " + MAX_LIBRARIES + " plugins" : failures;
    } else if (builtIn.stream().anyMatch(c -> c.isNamed(entry))) {
      reason =
          ErrorText.of(
              "is built in and tried after the external plugins anyway; %s=%s asks for it",
              CoreVariables.NET, entry);
    } else {
      reason =
          "names no plugin, module or path that was found, and no native library"
              + (failures.isEmpty() ? "" : " (" + failures + ")")
              + CloseNames.hint(entry, others.stream().map(Candidate::name).toList());
    }
    rejected.add(
        PluginDescription.rejected(
            PluginKind.NET,
            entry,
            null,
            new PluginOrigin(false, null, entry),
            "the entry " + entry + " of " + source + ": " + reason));
  }

  private static boolean isPath(String entry) {
    return entry.indexOf('/') >= 0 || entry.toLowerCase(Locale.ROOT).endsWith(".jar");
  }
}
