// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.config.CloseNames;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The choice of a network, as NCCL makes it (ncclNetInit): candidates are tried in the catalog's
 * order. One whose name is not the wanted one is skipped, and the first whose {@code init} succeeds
 * and that has a device is taken. Which CollNet goes with it is decided in the same go.
 *
 * <p>Unlike NCCL, the candidates that were not taken stay at the disposal of other communicators of
 * the process.
 */
public final class NetSelection {
  private static final long SUBSYSTEMS = LogSubsystem.INIT.mask() | LogSubsystem.NET.mask();

  private final PluginCatalog catalog;
  private final Settings settings;
  private final @Nullable String wanted;
  private final String wantedBy;

  private NetSelection(PluginCatalog catalog, Settings settings, @Nullable String netName) {
    this(catalog, settings, CoreVariables.NET, netName);
  }

  private NetSelection(
      PluginCatalog catalog,
      Settings settings,
      Variable<String> variable,
      @Nullable String netName) {
    this.catalog = catalog;
    this.settings = settings;
    String value = settings.get(variable);
    if (!value.isEmpty()) {
      this.wanted = value;
      this.wantedBy = WhereSet.value(settings, variable);
    } else {
      this.wanted = netName;
      this.wantedBy = "the communicator's configuration, which names " + netName + ",";
    }
  }

  /**
   * Chooses and initializes a network. Several threads may select from one catalog at once; each
   * plugin is initialized once.
   *
   * @param catalog the candidates
   * @param settings where {@code NCCL_NET}, {@code NITINOL_COLLNET} and {@code NITINOL_VALIDATE}
   *     are read
   * @param logger where the outcome is logged
   * @param netName the name that the communicator's configuration asks for, in any case, or null;
   *     {@code NCCL_NET} wins over it, as in NCCL
   * @throws NetException INVALID_USAGE when no candidate can be used, where the message lists them
   *     all, or when {@code NITINOL_VALIDATE} is set and there is no {@link NetDecorator}
   */
  public static SelectedNet select(
      PluginCatalog catalog, Settings settings, DebugLogger logger, @Nullable String netName) {
    return new NetSelection(catalog, settings, netName).choose(logger);
  }

  /**
   * The same for a process in which {@code NCCL_NET} is about something else.
   *
   * @param variable what names the network in its place; empty: no name is wanted
   */
  public static SelectedNet selectBy(
      PluginCatalog catalog, Settings settings, DebugLogger logger, Variable<String> variable) {
    return new NetSelection(catalog, settings, variable, null).choose(logger);
  }

  private SelectedNet choose(DebugLogger logger) {
    ValidationMode mode = ValidationMode.of(settings);
    if (mode != ValidationMode.OFF) {
      NetDecorator.required(mode); // before a plugin has been initialized in vain
    }
    Candidate<Net> net = firstUsable();
    if (net == null) {
      throw new NetException(ResultCode.INVALID_USAGE, failure());
    }
    tellMistakes();
    tellRejected(logger);
    Candidate<CollNet> collNet = collNetFor(net, logger);
    if (logger.isEnabled(LogLevel.INFO, SUBSYSTEMS)) {
      log(logger, using("network", net));
      if (collNet != null) {
        log(logger, using("CollNet", collNet));
      }
    }
    if (mode != ValidationMode.OFF) {
      log(
          logger,
          ErrorText.of(
              "%s=%s: calls are checked against the contract, and what breaks a rule is logged%s",
              CoreVariables.VALIDATE,
              settings.get(CoreVariables.VALIDATE),
              mode == ValidationMode.FAIL ? " and fails" : ""));
    }
    return new SelectedNet(
        net.plugin(mode, catalog.logger()),
        collNet == null ? null : collNet.plugin(mode, catalog.logger()),
        net.name(),
        net.version(),
        net.adapters(),
        net.origin(),
        net.deviceCount(),
        catalog.logger(),
        net.loader(),
        collNet == null ? null : collNet.loader());
  }

  /**
   * Probes everything and tells what {@link #select} would choose, and why not the others.
   *
   * @param netName as in {@link #select}
   */
  public static SelectionPreview preview(
      PluginCatalog catalog, Settings settings, @Nullable String netName) {
    catalog.probeAll();
    NetSelection selection = new NetSelection(catalog, settings, netName);
    Candidate<Net> net = selection.firstUsable();
    Candidate<CollNet> collNet = null;
    String failure = net == null ? selection.failure() : null;
    if (net != null) {
      try {
        collNet = selection.collNetFor(net, catalog.logger());
      } catch (NetException refused) {
        failure = refused.getMessage();
      }
    }
    List<PluginDescription> plugins = new ArrayList<>();
    for (Candidate<Net> candidate : catalog.nets()) {
      plugins.add(
          selection.verdict(
              candidate.describe(), candidate == net, selection.whyNot(candidate, net)));
    }
    for (Candidate<CollNet> candidate : catalog.all(VersionLadder.COLLNET)) {
      plugins.add(
          selection.verdict(candidate.describe(), candidate == collNet, selection.whyNotColl(net)));
    }
    plugins.addAll(KernelSelection.preview(catalog, settings));
    plugins.addAll(TunerSelection.preview(catalog, settings, net == null ? null : net.origin()));
    plugins.addAll(ProfilerSelection.preview(catalog, settings, net == null ? null : net.origin()));
    plugins.addAll(DeviceSelection.preview(catalog, settings));
    plugins.addAll(catalog.rejected());
    return new SelectionPreview(plugins, failure);
  }

  private @Nullable Candidate<Net> firstUsable() {
    for (Candidate<Net> candidate : catalog.nets()) {
      if (isWanted(candidate) && candidate.start(catalog.logger())) {
        return candidate;
      }
    }
    return null;
  }

  /**
   * Reports networks that were left out because of a slip in a variable, which a user else notices
   * when the job is slow.
   */
  private void tellMistakes() {
    for (Candidate<Net> candidate : catalog.nets()) {
      String mistake = candidate.takeMistake();
      if (mistake != null) {
        UnmetRequest.tell(settings, catalog.logger(), mistake + "; another network is looked for");
      }
    }
  }

  /**
   * Reports what a path or a name asks for and discovery could not load. Where there is a log,
   * discovery has written it there.
   */
  private void tellRejected(DebugLogger logger) {
    if (logger.isEnabled(LogLevel.WARN, LogSubsystem.ALL)) {
      return;
    }
    List<String> ownMessages =
        List.of(
            settings.get(CoreVariables.TUNER_PLUGIN), settings.get(CoreVariables.PROFILER_PLUGIN));
    for (PluginDescription rejected : catalog.rejected()) {
      if (rejected.state() == PluginState.REJECTED
          && !rejected.origin().application()
          && !ownMessages.contains(rejected.name())) {
        UnmetRequest.report(
            settings,
            logger,
            CoreVariables.PLUGIN_PATH,
            "plugin " + rejected.origin() + " is left out: " + rejected.reason());
      }
    }
  }

  private boolean isWanted(Candidate<Net> candidate) {
    return wanted == null || candidate.isNamed(wanted);
  }

  /**
   * Finds the CollNet that is asked for by name, or the one of the network's origin, or else the
   * only one that comes without a network of its own; a failure costs only CollNet.
   *
   * @throws NetException INVALID_USAGE where there is none of the name that is asked for
   */
  private @Nullable Candidate<CollNet> collNetFor(Candidate<Net> net, DebugLogger logger) {
    String asked = settings.get(CoreVariables.COLLNET);
    String location = net.origin().location();
    Candidate<CollNet> found = null;
    for (Candidate<CollNet> candidate : catalog.all(VersionLadder.COLLNET)) {
      boolean fits =
          asked.isEmpty()
              ? candidate.origin().location().equals(location)
              : candidate.isNamed(asked);
      if (fits) {
        found = candidate;
        break;
      }
    }
    if (found == null && asked.isEmpty() && settings.get(CoreVariables.COLLNET_ENABLE)) {
      found = loneCollNet(logger);
    }
    if (found == null) {
      if (!asked.isEmpty()) {
        UnmetRequest.report(
            settings,
            logger,
            CoreVariables.COLLNET,
            ErrorText.of(
                "%s names no CollNet plugin that was found%s",
                WhereSet.value(settings, CoreVariables.COLLNET),
                CloseNames.hint(
                    asked,
                    catalog.all(VersionLadder.COLLNET).stream().map(Candidate::name).toList())));
      }
      return null;
    }
    if (found.start(catalog.logger())) {
      return found;
    }
    String why = "CollNet " + found.name() + " is not used: " + found.describe().reason();
    if (settings.get(CoreVariables.COLLNET_ENABLE)) {
      UnmetRequest.report(settings, logger, CoreVariables.COLLNET_ENABLE, why);
    } else {
      log(logger, why);
    }
    return null;
  }

  /** Returns the CollNet that belongs to no network, null where there is none or more than one. */
  private @Nullable Candidate<CollNet> loneCollNet(DebugLogger logger) {
    List<Candidate<CollNet>> lone =
        catalog.all(VersionLadder.COLLNET).stream()
            .filter(candidate ->
                catalog.nets().stream()
                    .noneMatch(
                        net -> net.origin().location().equals(candidate.origin().location())))
            .toList();
    if (lone.isEmpty()) {
      UnmetRequest.report(
          settings,
          logger,
          CoreVariables.COLLNET_ENABLE,
          ErrorText.of(
              "CollNet is not used: %s is set, and there is no CollNet plugin",
              CoreVariables.COLLNET_ENABLE));
    }
    if (lone.size() > 1) {
      UnmetRequest.report(
          settings,
          logger,
          CoreVariables.COLLNET_ENABLE,
          ErrorText.of(
              "CollNet is not used: there are several CollNet plugins, of which %s has to name one:"
                  + " %s",
              CoreVariables.COLLNET,
              String.join(", ", lone.stream().map(Candidate::name).toList())));
    }
    return lone.size() == 1 ? lone.getFirst() : null;
  }

  private PluginDescription verdict(PluginDescription known, boolean chosen, String whyNot) {
    if (chosen) {
      return known.with(PluginState.CHOSEN, null);
    }
    return known.state() == PluginState.AVAILABLE
        ? known.with(PluginState.NOT_CHOSEN, whyNot)
        : known;
  }

  private String whyNot(Candidate<Net> candidate, @Nullable Candidate<Net> chosen) {
    if (!isWanted(candidate)) {
      return "not the network that " + wantedBy + " asks for";
    }
    if (chosen == null) {
      return "";
    }
    String from = chosen.isNamed(candidate.name()) ? " from " + chosen.origin() : "";
    return chosen.name() + from + " comes first";
  }

  private String whyNotColl(@Nullable Candidate<Net> net) {
    if (net == null) {
      return "there is no network";
    }
    return settings.isSet(CoreVariables.COLLNET)
        ? CoreVariables.COLLNET + "=" + settings.get(CoreVariables.COLLNET) + " asks for another"
        : ErrorText.of(
            "not from the origin of the network %s; %s asks for it by name",
            net.name(), CoreVariables.COLLNET);
  }

  private String failure() {
    List<Candidate<Net>> nets = catalog.nets();
    StringBuilder text = new StringBuilder("no network can be used: ");
    if (wanted == null) {
      text.append("none of the candidates works");
    } else {
      List<Candidate<Net>> matching = nets.stream().filter(this::isWanted).toList();
      text.append(wantedBy)
          .append(matching.isEmpty() ? " is the name of no candidate" : " cannot be used");
      if (matching.isEmpty()) {
        text.append(CloseNames.hint(wanted, nets.stream().map(Candidate::name).toList()));
      }
    }
    text.append("\n  candidates, in the order in which they are tried:");
    for (Candidate<Net> candidate : nets) {
      PluginDescription known = candidate.describe();
      text.append("\n    ").append(candidate.name());
      text.append(" (").append(candidate.describeVersion()).append(") from ");
      text.append(candidate.origin()).append(": ").append(reason(candidate, known));
    }
    List<PluginDescription> rejected =
        catalog.rejected().stream().filter(d -> d.kind() == PluginKind.NET).toList();
    for (PluginDescription known : rejected) {
      text.append("\n    ").append(known.name()).append(": ");
      text.append(known.outcome());
    }
    if (nets.isEmpty() && rejected.isEmpty()) {
      text.append(" none; plugins are looked for on the module path, the class path and in ");
      text.append(CoreVariables.PLUGIN_PATH);
      text.append(
          "\n  for TCP add the artifact io.nitinol:nitinol-net-socket, for InfiniBand and RoCE");
      text.append(" io.nitinol:nitinol-net-ib, in the version of nitinol-core");
    }
    return text.toString();
  }

  private String reason(Candidate<Net> candidate, PluginDescription known) {
    if (known.reason() != null) {
      return known.outcome();
    }
    return whyNot(candidate, null);
  }

  private static String using(String what, Candidate<?> chosen) {
    int devices = chosen.deviceCount();
    return ErrorText.of(
        "Using %s %s (%s, %d device%s) from %s",
        what,
        chosen.name(),
        chosen.describeVersion(),
        devices,
        devices == 1 ? "" : "s",
        chosen.origin().shortName());
  }

  private static void log(DebugLogger logger, String message) {
    logger.log(LogLevel.INFO, SUBSYSTEMS, "NetSelection", 0, message);
  }
}
