// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.List;

/**
 * A plugin as it offers itself, with every version of it and before any adapter: what a conformance
 * test looks at, where an application would use a {@link PluginCatalog}.
 *
 * @param kind what it is for
 * @param name its name, as its newest version spells it
 * @param origin where it comes from
 * @param versions what it offers under this name at this origin, oldest first; never empty
 * @param loader the loader of its newest version's class: one of its own for a plugin from a jar or
 *     directory, the application's for one on the module path or class path
 * @param rejected what the same origin offers besides, of the same kind, and could not be loaded,
 *     with the reasons: a version of this very plugin may be among it
 */
public record OfferedPlugin(
    PluginKind kind,
    String name,
    PluginOrigin origin,
    List<OfferedVersion> versions,
    ClassLoader loader,
    List<PluginDescription> rejected) {

  /** Copies the lists. */
  public OfferedPlugin {
    versions = List.copyOf(versions);
    rejected = List.copyOf(rejected);
    if (versions.isEmpty()) {
      throw new IllegalArgumentException("plugin " + name + " from " + origin + " has no version");
    }
  }

  /** Returns the version that core would take. */
  public OfferedVersion newest() {
    return versions.getLast();
  }
}
