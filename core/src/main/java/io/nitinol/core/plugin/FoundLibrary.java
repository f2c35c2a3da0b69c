// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.List;
import java.util.function.Supplier;

/**
 * A native library that was looked for, and the plugins in it.
 *
 * @param location its file, or what was looked for where there is none
 * @param plugins the plugins that it exports; empty where there is none that can be used
 * @param failures why not, or what in it cannot be used
 */
public record FoundLibrary(String location, List<Plugin> plugins, List<String> failures) {

  /** Copies the lists. */
  public FoundLibrary {
    plugins = List.copyOf(plugins);
    failures = List.copyOf(failures);
  }

  /**
   * One version of one plugin.
   *
   * @param kind what it is for
   * @param version the version of the Java interface that {@code provider} implements
   * @param name its name
   * @param symbol what the library exports it as, such as {@code ncclNetPlugin_v8}
   * @param provider the class of the objects that {@code factory} makes
   * @param factory makes objects that are not initialized
   */
  public record Plugin(
      PluginKind kind,
      int version,
      String name,
      String symbol,
      Class<?> provider,
      Supplier<?> factory) {}
}
