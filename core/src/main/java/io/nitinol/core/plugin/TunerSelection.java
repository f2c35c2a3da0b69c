// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CloseNames;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.tuner.v1.Tuner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a tuner: the one that {@code NCCL_TUNER_PLUGIN} names, by its own name or as NCCL
 * looks a library up, or else the only one there is. Where several are found and none is named
 * there is no telling which one all ranks would take, so none is.
 *
 * <p>A tuner in the library of a native network counts only with that network, and only where there
 * is no other: so it is in NCCL.
 */
public final class TunerSelection {
  private TunerSelection() {}

  /**
   * Chooses a tuner.
   *
   * @param catalog the candidates
   * @param settings where {@code NCCL_TUNER_PLUGIN} is read
   * @param logger where it is said that there are several and none is taken, or that the chosen one
   *     cannot be used
   * @param network where the network that is used comes from; null where it is the application's
   * @return null where algorithms are chosen without one
   * @throws NetException INVALID_USAGE when {@code NCCL_TUNER_PLUGIN} names no tuner that was
   *     found; the message lists them all
   */
  public static @Nullable Tuner select(
      PluginCatalog catalog,
      Settings settings,
      DebugLogger logger,
      @Nullable PluginOrigin network) {
    LibraryChoice<Tuner> choice = choice(catalog, settings, network);
    Candidate<Tuner> chosen = choice.chosen();
    if (chosen != null) {
      if (chosen.start(catalog.logger())) {
        return chosen.plugin();
      }
      logger.warn(
          "TunerSelection",
          "tuner " + chosen.name() + " is not used: " + chosen.describe().reason());
      return null;
    }
    if (choice.isNamed()) {
      UnmetRequest.report(
          settings, logger, CoreVariables.TUNER_PLUGIN, failure(catalog, settings, choice));
    }
    if (choice.isUndecided()) {
      logger.warn("TunerSelection", choice.several("tuners") + "; none is used");
    }
    return null;
  }

  /** Returns the candidates as a selection would leave them. */
  static List<PluginDescription> preview(
      PluginCatalog catalog, Settings settings, @Nullable PluginOrigin network) {
    return choice(catalog, settings, network).preview("tuners");
  }

  private static LibraryChoice<Tuner> choice(
      PluginCatalog catalog, Settings settings, @Nullable PluginOrigin network) {
    return new LibraryChoice<>(
        CoreVariables.TUNER_PLUGIN, settings, catalog, VersionLadder.TUNER, network);
  }

  private static String failure(
      PluginCatalog catalog, Settings settings, LibraryChoice<Tuner> choice) {
    List<Candidate<Tuner>> tuners = catalog.all(VersionLadder.TUNER);
    StringBuilder text = new StringBuilder(WhereSet.value(settings, CoreVariables.TUNER_PLUGIN));
    text.append(" is the name of no tuner that was found");
    text.append(CloseNames.hint(choice.wanted(), tuners.stream().map(Candidate::name).toList()));
    text.append("\n  found:");
    for (Candidate<Tuner> tuner : tuners) {
      text.append("\n    ").append(tuner.name()).append(" from ").append(tuner.origin());
    }
    if (tuners.isEmpty()) {
      text.append(" none; tuners are looked for on the module path, the class path, in ");
      text.append(CoreVariables.PLUGIN_PATH).append(" and in native libraries");
    }
    for (PluginDescription known : catalog.rejected()) {
      text.append("\n  rejected: ").append(known.name()).append(": ").append(known.reason());
    }
    return text.toString();
  }
}
