// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.plugin.validate.ValidationMode;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.profiler.v1.Profiler;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a profiler: the one that {@code NCCL_PROFILER_PLUGIN} names, by its own name or as
 * NCCL looks a library up, or else the only one there is. One in the library of a network counts
 * only with that network, and only where there is no other: so it is in NCCL. No choice fails: what
 * is called is done without a profiler, too.
 */
public final class ProfilerSelection {
  private static final String NONE = "none";

  private ProfilerSelection() {}

  /**
   * Chooses a profiler.
   *
   * @param catalog the candidates
   * @param settings where {@code NCCL_PROFILER_PLUGIN} is read
   * @param logger where it is said why none is taken although one is asked for, or there are
   *     several
   * @param network where the network that is used comes from; null where it is the application's
   * @return null where nobody is to be told
   */
  public static @Nullable Profiler select(
      PluginCatalog catalog,
      Settings settings,
      DebugLogger logger,
      @Nullable PluginOrigin network) {
    Candidate<Profiler> chosen = choose(catalog, settings, network);
    if (chosen != null) {
      return chosen.plugin(ValidationMode.OFF, logger);
    }
    if (isNamed(settings)) {
      logger.warn(
          "ProfilerSelection",
          WhereSet.value(settings, CoreVariables.PROFILER_PLUGIN)
              + " names no profiler that was found; there is none now. Found: "
              + names(catalog.profilers()));
    } else if (wanted(settings).isEmpty() && alone(catalog).size() > 1) {
      logger.warn("ProfilerSelection", several(catalog) + "; none is used");
    }
    return null;
  }

  /** Returns the candidates as a selection would leave them. */
  static List<PluginDescription> preview(
      PluginCatalog catalog, Settings settings, @Nullable PluginOrigin network) {
    Candidate<Profiler> chosen = choose(catalog, settings, network);
    List<PluginDescription> all = new ArrayList<>();
    for (Candidate<Profiler> candidate : catalog.profilers()) {
      PluginDescription known = candidate.describe();
      if (candidate == chosen) {
        all.add(known.with(PluginState.CHOSEN, null));
      } else if (!wanted(settings).isEmpty()) {
        String asked = WhereSet.value(settings, CoreVariables.PROFILER_PLUGIN);
        all.add(known.with(PluginState.NOT_CHOSEN, "not the one that " + asked + " asks for"));
      } else if (isInNetworkLibrary(catalog, candidate)) {
        all.add(known.with(PluginState.NOT_CHOSEN, "there is another, or its network is not used"));
      } else {
        all.add(known.with(PluginState.NOT_CHOSEN, several(catalog)));
      }
    }
    return all;
  }

  private static @Nullable Candidate<Profiler> choose(
      PluginCatalog catalog, Settings settings, @Nullable PluginOrigin network) {
    String wanted = wanted(settings);
    if (wanted.equalsIgnoreCase(NONE)) {
      return null;
    }
    NamedLibrary library = catalog.profilerLibrary();
    if (!wanted.isEmpty()) {
      return catalog.profilers().stream()
          .filter(each -> each.isNamed(wanted) || (library != null && library.is(wanted, each)))
          .findFirst()
          .orElse(null);
    }
    List<Candidate<Profiler>> alone = alone(catalog);
    if (!alone.isEmpty()) {
      return alone.size() == 1 ? alone.getFirst() : null;
    }
    return catalog.profilers().stream()
        .filter(each -> network != null && each.origin().location().equals(network.location()))
        .findFirst()
        .orElse(null);
  }

  /** Returns the profilers that need no network. */
  private static List<Candidate<Profiler>> alone(PluginCatalog catalog) {
    NamedLibrary library = catalog.profilerLibrary();
    return catalog.profilers().stream()
        .filter(
            each -> !isInNetworkLibrary(catalog, each) || (library != null && library.is("", each)))
        .toList();
  }

  private static boolean isInNetworkLibrary(PluginCatalog catalog, Candidate<Profiler> profiler) {
    String location = profiler.origin().location();
    return PluginFiles.isNative(location)
        && catalog.nets().stream().anyMatch(net -> net.origin().location().equals(location));
  }

  private static String wanted(Settings settings) {
    return settings.get(CoreVariables.PROFILER_PLUGIN).strip();
  }

  private static boolean isNamed(Settings settings) {
    String wanted = wanted(settings);
    return !wanted.isEmpty() && !wanted.equalsIgnoreCase(NONE);
  }

  private static String several(PluginCatalog catalog) {
    return "there are several profilers ("
        + names(alone(catalog))
        + ") and "
        + CoreVariables.PROFILER_PLUGIN
        + " names none of them";
  }

  private static String names(List<Candidate<Profiler>> profilers) {
    return profilers.isEmpty()
        ? "none"
        : profilers.stream().map(Candidate::name).collect(Collectors.joining(", "));
  }
}
