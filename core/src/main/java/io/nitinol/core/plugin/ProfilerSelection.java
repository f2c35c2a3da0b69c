// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.profiler.v1.Profiler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a profiler: the one that {@code NCCL_PROFILER_PLUGIN} names, by its own name or as
 * NCCL looks a library up, or else the only one there is. One in the library of a network counts
 * only with that network, and only where there is no other: so it is in NCCL. Several that come
 * with the application count by their names only. No choice fails: what is called is done without a
 * profiler, too.
 */
public final class ProfilerSelection {
  private ProfilerSelection() {}

  /**
   * Chooses a profiler.
   *
   * @param catalog the candidates
   * @param settings where {@code NCCL_PROFILER_PLUGIN} is read
   * @param logger where it is said why none is taken although one is asked for, or there are
   *     several
   * @param network where the network that is used comes from; null where it is the application's
   * @return null where no profiler is used
   */
  public static @Nullable Profiler select(
      PluginCatalog catalog,
      Settings settings,
      DebugLogger logger,
      @Nullable PluginOrigin network) {
    LibraryChoice<Profiler> choice = choice(catalog, settings, network);
    Candidate<Profiler> chosen = choice.chosen();
    if (chosen != null) {
      return chosen.plugin();
    }
    if (choice.isNamed()) {
      String found = LibraryChoice.names(catalog.all(VersionLadder.PROFILER));
      UnmetRequest.report(
          settings,
          logger,
          CoreVariables.PROFILER_PLUGIN,
          WhereSet.value(settings, CoreVariables.PROFILER_PLUGIN)
              + " names no profiler that was found; there is none now. Found: "
              + (found.isEmpty() ? "none" : found));
    } else if (choice.isUndecided()) {
      logger.warn("ProfilerSelection", choice.several("profilers") + "; none is used");
    }
    return null;
  }

  /** Returns the candidates as a selection would leave them. */
  static List<PluginDescription> preview(
      PluginCatalog catalog, Settings settings, @Nullable PluginOrigin network) {
    return choice(catalog, settings, network).preview("profilers");
  }

  private static LibraryChoice<Profiler> choice(
      PluginCatalog catalog, Settings settings, @Nullable PluginOrigin network) {
    return new LibraryChoice<>(
        CoreVariables.PROFILER_PLUGIN, settings, catalog, VersionLadder.PROFILER, network);
  }
}
