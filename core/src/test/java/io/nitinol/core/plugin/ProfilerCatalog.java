// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.profiler.v1.Profiler;
import java.util.List;
import java.util.stream.Stream;

/** A catalog of profilers that a test brings, without any search. */
public final class ProfilerCatalog {
  private ProfilerCatalog() {}

  /** Returns a catalog of these, which come from one place. */
  public static PluginCatalog of(DebugLogger log, Profiler... profilers) {
    List<Candidate<Profiler>> candidates =
        Stream.of(profilers)
            .map(each ->
                MadeCandidate.of(VersionLadder.PROFILER, Profiler.class, each, each.name(), "test"))
            .toList();
    return MadeCandidate.catalog(log, candidates);
  }
}
