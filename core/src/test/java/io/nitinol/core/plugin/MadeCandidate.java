// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.List;

/** Candidates that a test makes, without any search. */
final class MadeCandidate {
  private MadeCandidate() {}

  /** Makes a candidate of the newest version, which comes from {@code location}. */
  static <P> Candidate<P> of(
      VersionLadder<P> ladder, Class<P> service, P plugin, String name, String location) {
    int version = ladder.newestVersion();
    PluginOrigin origin = new PluginOrigin(false, null, location);
    OfferedVersion offered = new OfferedVersion(version, service, plugin.getClass(), () -> plugin);
    return new Candidate<>(
        ladder,
        new Provided<>(version, plugin, name, plugin.getClass(), () -> plugin, origin),
        new OfferedPlugin(
            ladder.kind(),
            name,
            origin,
            List.of(offered),
            plugin.getClass().getClassLoader(),
            List.of()));
  }
}
