// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.profiler.v1.Profiler;
import java.util.List;

/** A catalog of profilers that a test brings, without any search. */
public final class ProfilerCatalog {
  private ProfilerCatalog() {}

  /** Returns a catalog of these, which come from {@code location}. */
  public static PluginCatalog of(DebugLogger log, Profiler... profilers) {
    PluginOrigin origin = new PluginOrigin(false, null, "test");
    List<Candidate<Profiler>> candidates =
        List.of(profilers).stream()
            .map(each -> {
              OfferedVersion version =
                  new OfferedVersion(1, Profiler.class, each.getClass(), () -> each);
              return new Candidate<>(
                  VersionLadder.PROFILER,
                  new Provided<Profiler>(1, each, each.name(), each.getClass(), () -> each, origin),
                  new OfferedPlugin(
                      PluginKind.PROFILER,
                      each.name(),
                      origin,
                      List.of(version),
                      each.getClass().getClassLoader(),
                      List.of()));
            })
            .toList();
    return new PluginCatalog(
        log,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        null,
        candidates,
        null,
        List.of(),
        List.of());
  }
}
