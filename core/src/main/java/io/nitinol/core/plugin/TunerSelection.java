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
 * The choice of a tuner: the one that {@code NCCL_TUNER_PLUGIN} names, by its own name or as NCCL
 * looks a library up, or else the only one there is. Where several are found and none is named
 * there is no telling which one all ranks would take, so none is.
 *
 * <p>A tuner in the library of a native network counts only with that network, and only where there
 * is no other: so it is in NCCL.
 */
public final class TunerSelection {
  private static final String NONE = "none";

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
    Candidate<Tuner> chosen = choose(catalog, settings, network);
    if (chosen != null) {
      if (chosen.start(catalog.logger())) {
        return chosen.plugin(ValidationMode.OFF, logger);
      }
      logger.warn(
          "TunerSelection",
          "tuner " + chosen.name() + " is not used: " + chosen.describe().reason());
      return null;
    }
    if (isNamed(settings)) {
      throw new NetException(ResultCode.INVALID_USAGE, failure(catalog, settings));
    }
    List<Candidate<Tuner>> eligible = eligible(catalog, network);
    if (wanted(settings).isEmpty() && !eligible.isEmpty()) {
      logger.warn("TunerSelection", several(eligible) + "; none is used");
    }
    return null;
  }

  /** Returns the candidates as a selection would leave them. */
  static List<PluginDescription> preview(
      PluginCatalog catalog, Settings settings, @Nullable PluginOrigin network) {
    Candidate<Tuner> chosen = choose(catalog, settings, network);
    List<Candidate<Tuner>> eligible = eligible(catalog, network);
    List<PluginDescription> all = new ArrayList<>();
    for (Candidate<Tuner> candidate : catalog.tuners()) {
      if (!candidate.start(catalog.logger())) {
        all.add(candidate.describe()); // it says why
      } else if (candidate == chosen) {
        all.add(candidate.describe().with(PluginState.CHOSEN, null));
      } else {
        String whyNot;
        if (!wanted(settings).isEmpty()) {
          whyNot =
              "not the one that "
                  + WhereSet.value(settings, CoreVariables.TUNER_PLUGIN)
                  + " asks for";
        } else if (eligible.contains(candidate)) {
          whyNot = several(eligible);
        } else {
          whyNot =
              eligible.isEmpty()
                  ? "it is in the library of a network that is not used"
                  : "it is in the library of a network, and there is another";
        }
        all.add(candidate.describe().with(PluginState.NOT_CHOSEN, whyNot));
      }
    }
    return all;
  }

  private static @Nullable Candidate<Tuner> choose(
      PluginCatalog catalog, Settings settings, @Nullable PluginOrigin network) {
    String wanted = wanted(settings);
    if (wanted.isEmpty()) {
      List<Candidate<Tuner>> eligible = eligible(catalog, network);
      return eligible.size() == 1 ? eligible.getFirst() : null;
    }
    if (!isNamed(settings)) {
      return null;
    }
    NamedLibrary library = catalog.tunerLibrary();
    return catalog.tuners().stream()
        .filter(tuner -> tuner.isNamed(wanted) || (library != null && library.is(wanted, tuner)))
        .findFirst()
        .orElse(null);
  }

  /** Returns the tuners of which one may be taken without a name. */
  private static List<Candidate<Tuner>> eligible(
      PluginCatalog catalog, @Nullable PluginOrigin network) {
    List<Candidate<Tuner>> alone = new ArrayList<>();
    List<Candidate<Tuner>> withNetwork = new ArrayList<>();
    NamedLibrary library = catalog.tunerLibrary();
    for (Candidate<Tuner> tuner : catalog.tuners()) {
      if (!isInNetworkLibrary(catalog, tuner) || (library != null && library.is("", tuner))) {
        alone.add(tuner);
      } else if (network != null && tuner.origin().location().equals(network.location())) {
        withNetwork.add(tuner);
      }
    }
    return alone.isEmpty() ? withNetwork : alone;
  }

  private static boolean isInNetworkLibrary(PluginCatalog catalog, Candidate<Tuner> tuner) {
    String location = tuner.origin().location();
    return PluginFiles.isNative(location)
        && catalog.nets().stream().anyMatch(net -> net.origin().location().equals(location));
  }

  private static String wanted(Settings settings) {
    return settings.get(CoreVariables.TUNER_PLUGIN).strip();
  }

  /** Returns whether a tuner is asked for by its name. */
  private static boolean isNamed(Settings settings) {
    String wanted = wanted(settings);
    return !wanted.isEmpty() && !wanted.equalsIgnoreCase(NONE);
  }

  private static String several(List<Candidate<Tuner>> eligible) {
    return "there are several tuners ("
        + eligible.stream().map(Candidate::name).collect(Collectors.joining(", "))
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
      text.append(" none; tuners are looked for on the module path, the class path, in ");
      text.append(CoreVariables.PLUGIN_PATH).append(" and in native libraries");
    }
    for (PluginDescription known : catalog.rejected()) {
      text.append("\n  rejected: ").append(known.name()).append(": ").append(known.reason());
    }
    return text.toString();
  }
}
