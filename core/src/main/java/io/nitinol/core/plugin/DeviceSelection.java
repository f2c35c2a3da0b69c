// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CloseNames;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The choice of devices: the provider that {@code NITINOL_DEVICE} names, or else the one of the
 * highest priority that works in this process.
 */
public final class DeviceSelection {
  private DeviceSelection() {}

  /**
   * Chooses a provider.
   *
   * @param catalog the candidates
   * @param settings where {@code NITINOL_DEVICE} is read
   * @param logger where the choice is told
   * @return the provider, available and with at least one device
   * @throws NetException INVALID_USAGE when there is none, or not the one that {@code
   *     NITINOL_DEVICE} names; the message lists what was found and why it cannot be used
   */
  public static DeviceProvider select(
      PluginCatalog catalog, Settings settings, DebugLogger logger) {
    Candidate<DeviceProvider> chosen = choose(catalog, settings);
    if (chosen == null) {
      String failure = failure(catalog, settings);
      if (isAsked(settings)) {
        UnmetRequest.report(settings, logger, CoreVariables.DEVICE, failure);
      }
      throw new NetException(ResultCode.INVALID_USAGE, failure);
    }
    DeviceProvider provider = chosen.plugin();
    logger.info(
        LogSubsystem.INIT,
        "DeviceSelection",
        ErrorText.of(
            "devices %s from %s: %d, the first is %s",
            chosen.name(),
            chosen.origin().shortName(),
            provider.devices().size(),
            provider.devices().getFirst().name()));
    return provider;
  }

  /** Returns the candidates as a selection would leave them. */
  static List<PluginDescription> preview(PluginCatalog catalog, Settings settings) {
    Candidate<DeviceProvider> chosen = choose(catalog, settings);
    String whyNot =
        isAsked(settings)
            ? "not the one that " + WhereSet.value(settings, CoreVariables.DEVICE) + " asks for"
            : (chosen == null ? "another one" : chosen.name()) + " has the higher priority";
    List<PluginDescription> all = new ArrayList<>();
    for (Candidate<DeviceProvider> candidate : ordered(catalog)) {
      candidate.start(catalog.logger());
      PluginDescription known = candidate.describe();
      if (candidate == chosen) {
        known = known.with(PluginState.CHOSEN, null);
      } else if (known.state() == PluginState.AVAILABLE) {
        known = known.with(PluginState.NOT_CHOSEN, whyNot);
      }
      all.add(known);
    }
    return all;
  }

  private static boolean isAsked(Settings settings) {
    return !settings.get(CoreVariables.DEVICE).isEmpty();
  }

  private static @Nullable Candidate<DeviceProvider> choose(
      PluginCatalog catalog, Settings settings) {
    String wanted = settings.get(CoreVariables.DEVICE);
    for (Candidate<DeviceProvider> candidate : ordered(catalog)) {
      if ((wanted.isEmpty() || candidate.isNamed(wanted))
          && candidate.start(catalog.logger())
          && !candidate.plugin().devices().isEmpty()) {
        return candidate;
      }
    }
    return null;
  }

  private static List<Candidate<DeviceProvider>> ordered(PluginCatalog catalog) {
    return catalog.all(VersionLadder.DEVICE).stream()
        .sorted(
            Comparator.comparingInt(
                    (Candidate<DeviceProvider> candidate) -> candidate.plugin().priority())
                .reversed())
        .toList();
  }

  private static String failure(PluginCatalog catalog, Settings settings) {
    String wanted = settings.get(CoreVariables.DEVICE);
    List<Candidate<DeviceProvider>> all = ordered(catalog);
    StringBuilder text = new StringBuilder();
    if (wanted.isEmpty()) {
      text.append("no device provider works in this process");
    } else if (all.stream().anyMatch(candidate -> candidate.isNamed(wanted))) {
      text.append(WhereSet.value(settings, CoreVariables.DEVICE)).append(" cannot be used");
    } else {
      text.append(WhereSet.value(settings, CoreVariables.DEVICE))
          .append(" is the name of no device provider that was found")
          .append(CloseNames.hint(wanted, all.stream().map(Candidate::name).toList()));
    }
    text.append(all.isEmpty() ? "\n  found: none" : "\n  found:");
    for (Candidate<DeviceProvider> candidate : all) {
      text.append("\n    ").append(candidate.name()).append(" from ").append(candidate.origin());
      String reason = candidate.describe().reason();
      if (reason != null) {
        text.append(": ").append(reason);
      } else if (candidate.describe().state() == PluginState.AVAILABLE
          && candidate.plugin().devices().isEmpty()) {
        text.append(": it names no reason, and has no device");
      }
    }
    for (PluginDescription rejected : catalog.rejected()) {
      if (rejected.kind() == PluginKind.DEVICE) {
        text.append("\n    ").append(rejected.name()).append(", rejected: ");
        text.append(rejected.reason());
      }
    }
    return text.append("\n  providers are looked for on the module path, the class path and in ")
        .append(CoreVariables.PLUGIN_PATH)
        .toString();
  }
}
