// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.DebugLogger;
import java.util.List;

/** Candidates that a test makes, without any search. */
final class MadeCandidate {
  private MadeCandidate() {}

  /** Makes a candidate of the newest version, which comes from {@code location}. */
  static <P> Candidate<P> of(
      VersionLadder<P> ladder, Class<P> service, P plugin, String name, String location) {
    return of(ladder, service, plugin, name, new PluginOrigin(false, null, location));
  }

  /** Makes a candidate of the newest version. */
  static <P> Candidate<P> of(
      VersionLadder<P> ladder, Class<P> service, P plugin, String name, PluginOrigin origin) {
    int version = ladder.newestVersion();
    OfferedPlugin.Version offered =
        new OfferedPlugin.Version(
            version, service, plugin.getClass(), () -> plugin, plugin.getClass().getName());
    return new Candidate<>(
        ladder,
        plugin,
        new OfferedPlugin(
            ladder.kind(),
            name,
            origin,
            List.of(offered),
            plugin.getClass().getClassLoader(),
            List.of()));
  }

  /** Returns a catalog of candidates, in this order, and nothing else. */
  static PluginCatalog catalog(DebugLogger log, List<? extends Candidate<?>> candidates) {
    FoundPlugins found = new FoundPlugins();
    candidates.forEach(found::add);
    return new PluginCatalog(log, found);
  }
}
