// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CloseNames;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.plugin.validate.ValidationMode;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.tuner.v1.Tuner;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a tuner: the one that {@code NCCL_TUNER_PLUGIN} names, or else the only one there
 * is. Where several are found and none is named there is no telling which one all ranks would take,
 * so none is.
 */
public final class TunerSelection {
  private static final String NONE = "none";

  private TunerSelection() {}

  /**
   * Chooses a tuner.
   *
   * @param catalog the candidates
   * @param settings where {@code NCCL_TUNER_PLUGIN} is read
   * @param logger where it is said that there are several and none is taken
   * @return null where algorithms are chosen without one
   * @throws NetException INVALID_USAGE when {@code NCCL_TUNER_PLUGIN} names no tuner that was
   *     found; the message lists them all
   */
  public static @Nullable Tuner select(
      PluginCatalog catalog, Settings settings, DebugLogger logger) {
    Candidate<Tuner> chosen = choose(catalog, settings);
    if (chosen != null) {
      return chosen.plugin(ValidationMode.OFF, logger);
    }
    if (isNamed(settings)) {
      throw new NetException(ResultCode.INVALID_USAGE, failure(catalog, settings));
    }
    if (wanted(settings).isEmpty() && !catalog.tuners().isEmpty()) {
      logger.warn("TunerSelection", several(catalog) + "; none is used");
    }
    return null;
  }

  /** Returns the candidates as a selection would leave them. */
  static List<PluginDescription> preview(PluginCatalog catalog, Settings settings) {
    Candidate<Tuner> chosen = choose(catalog, settings);
    String whyNot =
        wanted(settings).isEmpty()
            ? several(catalog)
            : "not the one that "
                + WhereSet.value(settings, CoreVariables.TUNER_PLUGIN)
                + " asks for";
    List<PluginDescription> all = new ArrayList<>();
    for (Candidate<Tuner> candidate : catalog.tuners()) {
      all.add(
          candidate == chosen
              ? candidate.describe().with(PluginState.CHOSEN, null)
              : candidate.describe().with(PluginState.NOT_CHOSEN, whyNot));
    }
    return all;
  }

  private static @Nullable Candidate<Tuner> choose(PluginCatalog catalog, Settings settings) {
    String wanted = wanted(settings);
    List<Candidate<Tuner>> tuners = catalog.tuners();
    if (wanted.isEmpty()) {
      return tuners.size() == 1 ? tuners.getFirst() : null;
    }
    if (!isNamed(settings)) {
      return null;
    }
    return tuners.stream().filter(tuner -> tuner.isNamed(wanted)).findFirst().orElse(null);
  }

  private static String wanted(Settings settings) {
    return settings.get(CoreVariables.TUNER_PLUGIN);
  }

  /** Returns whether a tuner is asked for by its name. */
  private static boolean isNamed(Settings settings) {
    String wanted = wanted(settings);
    return !wanted.isEmpty() && !wanted.equalsIgnoreCase(NONE);
  }

  private static String several(PluginCatalog catalog) {
    return "there are several tuners ("
        + catalog.tuners().stream().map(Candidate::name).collect(Collectors.joining(", "))
        + ") and "
        + CoreVariables.TUNER_PLUGIN
        + " names none of them";
  }

  private static String failure(PluginCatalog catalog, Settings settings) {
    List<Candidate<Tuner>> tuners = catalog.tuners();
    StringBuilder text = new StringBuilder(WhereSet.value(settings, CoreVariables.TUNER_PLUGIN));
    text.append(" is the name of no tuner that was found");
    text.append(CloseNames.hint(wanted(settings), tuners.stream().map(Candidate::name).toList()));
    text.append("\n  found:");
    for (Candidate<Tuner> tuner : tuners) {
      text.append("\n    ").append(tuner.name()).append(" from ").append(tuner.origin());
    }
    if (tuners.isEmpty()) {
      text.append(" none; tuners are looked for on the module path, the class path and in ");
      text.append(CoreVariables.PLUGIN_PATH);
    }
    for (PluginDescription known : catalog.rejected()) {
      text.append("\n  rejected: ").append(known.name()).append(": ").append(known.reason());
    }
    return text.toString();
  }
}
