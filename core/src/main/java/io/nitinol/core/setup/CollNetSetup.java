// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.connect.CommMemory;
import io.nitinol.core.plugin.UnmetRequest;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.collnet.CollNetShape;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.collnet.CollNetJoin;
import io.nitinol.core.transport.collnet.CollNetMembership;
import io.nitinol.core.transport.collnet.CollNetPlan;
import io.nitinol.core.transport.collnet.CollNetTerms;
import io.nitinol.core.transport.collnet.NetworkReductions;
import io.nitinol.core.tuning.ModelChooser;
import io.nitinol.core.tuning.NetworkCosts;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.SizeText;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Joins a communicator to a collective network, or leaves it without: collects what this rank
 * contributes to the terms, and joins where the terms of all ranks allow it.
 */
@OnlyThread("setup")
final class CollNetSetup {
  private final SetupConfig config;
  private final CommPlugins plugins;

  // Both are null until the network is joined, and where it is not used: the same on all ranks.
  private @Nullable CollNetPlan plan;
  private @Nullable CollNetMembership membership;

  CollNetSetup(SetupConfig config, CommPlugins plugins) {
    this.config = config;
    this.plugins = plugins;
  }

  /**
   * Returns what this rank knows of its network; nothing where settings rule it out.
   *
   * @throws io.nitinol.spi.NetException INVALID_USAGE where {@code NCCL_TOPO_FILE} cannot be used
   */
  CollNetTerms terms() {
    Settings settings = config.settings();
    CollNet net = ModelChooser.permitsCollNet(settings) ? plugins.collNet() : null;
    CollNetTerms terms;
    int[] devices;
    try {
      terms = CollNetTerms.of(net, settings);
      devices = net == null ? new int[0] : CollNetTerms.usable(net);
    } catch (RuntimeException | LinkageError e) {
      report("CollNet is not used: its devices cannot be listed: " + e);
      return CollNetTerms.of(null, settings);
    }
    return net == null ? terms : terms.near(devices, plugins.near(net, devices));
  }

  /**
   * Joins the network's groups, where the terms of all ranks allow it. On all ranks at once.
   *
   * @param connectors the other connections
   * @param profiler hears of the plugin's calls, or null
   * @return the connections, those with the network among them if it was joined
   * @throws io.nitinol.core.bootstrap.BootstrapException when a rank has gone; nothing is left
   */
  Connectors join(
      CommAgreement agreed,
      RankPlacement place,
      Bootstrap bootstrap,
      CommFailures failures,
      CommMemory memory,
      Connectors connectors,
      @Nullable ProfilerSession profiler) {
    HostLayout layout = place.layout();
    CollNetTerms[] terms =
        agreed.all().stream().map(CommTerms::collNet).toArray(CollNetTerms[]::new);
    CollNetPlan found =
        CollNetPlan.of(terms, layout, place.shape(), why -> log("CollNet is not used: " + why));
    if (found == null) {
      return connectors;
    }
    CollNet net = Objects.requireNonNull(plugins.collNet());
    // The others wait for the slowest in the bootstrap, which must not run out first.
    int seconds = Math.max(1, config.settings().get(CoreVariables.BOOTSTRAP_TIMEOUT) / 2);
    CollNetMembership joined =
        new CollNetJoin(
                found,
                net,
                profiler,
                () -> plugins.joinCollNet(agreed.number()),
                bootstrap,
                failures,
                layout,
                memory,
                config.logger(),
                this::report)
            .join(agreed.channels(), seconds);
    if (joined == null) {
      return connectors;
    }
    plan = found;
    membership = joined;
    log(
        ErrorText.of(
            "CollNet %s reduces between %d hosts, %d head(s) of each, up to %s at once",
            net.name(), layout.hosts(), found.heads().count(), SizeText.of(found.slotBytes())));
    return joined.links(connectors, layout.ranks());
  }

  /** Returns what this rank holds of the network; null where it holds nothing. */
  @Nullable CollNetMembership membership() {
    return membership;
  }

  /** Returns what schedules need to know of the network; null where it is not used. */
  @Nullable CollNetShape shape() {
    CollNetPlan used = plan;
    return used == null ? null : used.shape();
  }

  /** Returns the way of a message to the network, or back; null where it is not used. */
  @Nullable NetworkCosts costs() {
    CollNetPlan used = plan;
    return used == null ? null : used.costs();
  }

  /** Returns how many ranks of a host talk to the network; 0 where it is not used. */
  int heads() {
    CollNetPlan used = plan;
    return used == null ? 0 : used.heads().count();
  }

  /** Returns what the network reduces. */
  NetworkReductions reductions() {
    CollNetMembership joined = membership;
    return joined == null ? NetworkReductions.NONE : joined.reductions();
  }

  /** Tells that the network, which is asked for, is not used. */
  private void report(String why) {
    UnmetRequest.report(config.settings(), config.logger(), CoreVariables.COLLNET_ENABLE, why);
  }

  private void log(String message) {
    config.logger().info(LogSubsystem.INIT, "Communicator", message);
  }
}
