// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.connect.CommMemory;
import io.nitinol.core.progress.CommFailures;
import io.nitinol.core.schedule.ChunkShape;
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
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a communicator comes to use a collective network, or to go on without: what this rank brings
 * to the table, and the joining. Belongs to the thread that makes the communicator.
 */
final class CollNetSetup {
  private final CommConfig config;
  private final CommPlugins plugins;

  // Both null until the network is joined, and where it is not used: the same on all ranks.
  private @Nullable CollNetPlan plan;
  private @Nullable CollNetMembership membership;

  CollNetSetup(CommConfig config, CommPlugins plugins) {
    this.config = config;
    this.plugins = plugins;
  }

  /** Returns what this rank knows of its network; nothing where it is not to be used. */
  CollNetTerms terms() {
    Settings settings = config.settings();
    CollNet net = ModelChooser.permitsCollNet(settings) ? plugins.collNet() : null;
    try {
      return CollNetTerms.of(net, settings);
    } catch (RuntimeException | LinkageError e) {
      log("CollNet is not used: its devices cannot be told: " + e);
      return CollNetTerms.of(null, settings);
    }
  }

  /**
   * Joins the network's groups, if the terms of all ranks are such that it is used. On all ranks at
   * once.
   *
   * @param links the other connections
   * @return the connections, those with the network among them if it was joined
   * @throws io.nitinol.core.bootstrap.BootstrapException when a rank has gone; nothing is left
   */
  Connectors join(
      CommTerms[] all,
      HostLayout layout,
      ChunkShape shape,
      int channels,
      Bootstrap bootstrap,
      CommFailures failures,
      CommMemory memory,
      Connectors links) {
    CollNetTerms[] terms = Arrays.stream(all).map(CommTerms::collNet).toArray(CollNetTerms[]::new);
    CollNetPlan found =
        CollNetPlan.of(terms, layout, shape, why -> log("CollNet is not used: " + why));
    if (found == null) {
      return links;
    }
    CollNet net = Objects.requireNonNull(plugins.collNet());
    // The others wait for the slowest in the bootstrap, which must not run out first.
    int seconds = Math.max(1, config.settings().get(CoreVariables.BOOTSTRAP_TIMEOUT) / 2);
    CollNetMembership joined =
        new CollNetJoin(
                found,
                net,
                () -> plugins.joinCollNet(all[0].number()),
                bootstrap,
                failures,
                layout,
                memory,
                config.logger())
            .join(channels, seconds);
    if (joined == null) {
      return links;
    }
    plan = found;
    membership = joined;
    log(
        "CollNet "
            + net.name()
            + " reduces between "
            + layout.hosts()
            + " hosts, "
            + found.heads()
            + " head(s) of each, up to "
            + found.slotBytes()
            + " bytes at once");
    return joined.links(links, layout.ranks());
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
    return used == null ? 0 : used.heads();
  }

  /** Returns what the network reduces. */
  NetworkReductions reductions() {
    CollNetMembership joined = membership;
    return joined == null ? NetworkReductions.NONE : joined.reductions();
  }

  private void log(String message) {
    config.logger().info(LogSubsystem.INIT, "Communicator", message);
  }
}
