// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.config.TopologyVariables;
import io.nitinol.core.plugin.KernelSelection;
import io.nitinol.core.plugin.NetDevices;
import io.nitinol.core.plugin.NetSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.PluginOrigin;
import io.nitinol.core.plugin.PluginSession;
import io.nitinol.core.plugin.ProfilerSelection;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.core.plugin.TunerSelection;
import io.nitinol.core.plugin.UnmetRequest;
import io.nitinol.core.profiler.NetEvents;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.topology.TopologyException;
import io.nitinol.core.topology.detect.DetectedNet;
import io.nitinol.core.topology.near.NearNets;
import io.nitinol.core.transport.net.NetTransport;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.spi.profiler.v1.Profiler;
import io.nitinol.spi.tuner.v1.Tuner;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The plugins that a communicator uses: the network, the kernels, and a tuner and a profiler where
 * there is one. Choosing opens nothing; {@link #join} and {@link #profile} do.
 */
final class CommPlugins {
  /** The version of Net whose connect and accept may wait for the peer. */
  private static final int WAITING_VERSION = 4;

  private final SetupConfig config;

  /** Null where the application brings a network of its own, of the newest version. */
  private final @Nullable SelectedNet selected;

  private final Net net;
  private final KernelProvider kernels;
  private final @Nullable Tuner tuner;
  private final @Nullable Profiler profiler;

  private CommPlugins(
      SetupConfig config,
      @Nullable SelectedNet selected,
      KernelProvider kernels,
      @Nullable Tuner tuner,
      @Nullable Profiler profiler) {
    this.config = config;
    this.selected = selected;
    this.net = selected == null ? Objects.requireNonNull(config.net()) : selected.net();
    this.kernels = kernels;
    this.tuner = tuner;
    this.profiler = profiler;
  }

  /**
   * Chooses the plugins of a communicator.
   *
   * @param rank this rank; what all users must hear is told by rank 0
   * @throws io.nitinol.spi.NetException when a network, kernels or a tuner that is asked for cannot
   *     be had
   */
  static CommPlugins select(SetupConfig config, int rank) {
    Settings settings = config.settings();
    DebugLogger logger = config.logger();
    String unreadable = settings.mistake(CoreVariables.CONF_FILE);
    if (unreadable != null) {
      UnmetRequest.report(settings, logger, CoreVariables.CONF_FILE, unreadable);
    }
    // Once: it warns of settings that come too late for plugins.
    PluginCatalog catalog = ProcessWideVariables.plugins(config);
    SelectedNet selected =
        config.net() == null
            ? NetSelection.select(catalog, settings, logger, config.netName())
            : null;
    PluginOrigin network = selected == null ? null : selected.origin();
    KernelProvider kernels = config.kernels();
    if (kernels == null) {
      kernels = KernelSelection.select(catalog, settings, logger);
      if (rank == 0) {
        KernelSelection.advise(kernels, catalog, settings, logger);
      }
    }
    return new CommPlugins(
        config,
        selected,
        kernels,
        TunerSelection.select(catalog, settings, logger, network),
        ProfilerSelection.select(catalog, settings, logger, network));
  }

  Net net() {
    return net;
  }

  /**
   * Returns the collective network that may be used, or null; logs where one asked for is absent.
   */
  @Nullable CollNet collNet() {
    if (!config.settings().get(CoreVariables.COLLNET_ENABLE)) {
      return null;
    }
    CollNet found = selected == null ? null : selected.collNet();
    if (found == null) {
      config
          .logger()
          .info(
              LogSubsystem.INIT,
              "CollNet",
              ErrorText.of(
                  "%s is set, and there is no CollNet plugin to use with network %s",
                  CoreVariables.COLLNET_ENABLE, net.name()));
    }
    return found;
  }

  /** Opens a context in the collective network for this communicator. */
  PluginSession<CollNet> joinCollNet(long commId) {
    PluginSession<CollNet> session = selected == null ? null : selected.beginCollNet(commId);
    return Objects.requireNonNull(session, "there is no CollNet plugin");
  }

  KernelProvider kernels() {
    return kernels;
  }

  @Nullable Tuner tuner() {
    return tuner;
  }

  /** Begins with the profiler, if there is one. */
  @Nullable ProfilerSession profile(HostLayout layout, long commId, int rank) {
    return profiler == null
        ? null
        : ProfilerSession.begin(
            profiler,
            commId,
            config.name(),
            layout.hosts(),
            layout.ranks(),
            rank,
            TimeUnit.MICROSECONDS.toNanos(config.settings().get(CoreVariables.SLOW_CALL)),
            config.logger());
  }

  /** Returns whether the network is a library that was made for NCCL. */
  boolean isNative() {
    return selected != null && selected.origin().isNative();
  }

  /** Opens a context in the network for this communicator. */
  PluginSession<Net> join(long commId, boolean profiled) {
    NetProfiler events = profiled ? NetEvents.instance() : null;
    NetCommConfig asked = config.network();
    return selected == null
        ? PluginSession.begin(net, commId, asked, config.logger(), events)
        : selected.begin(commId, asked, events);
  }

  /** Returns what connects over the network, with memory of the arena. */
  NetTransport transport(
      PluginSession<Net> session, Arena arena, @Nullable ProfilerSession profiling) {
    NetTransport transport =
        new NetTransport(
            net,
            session.context(),
            arena,
            selected != null && selected.providedVersion() == WAITING_VERSION,
            nearDevices());
    transport.hear(session.log());
    if (profiling != null) {
      transport.tell(profiling);
    }
    return transport;
  }

  /**
   * Returns the devices to use, in the order of channels; none where all are alike, or both ends
   * shall use the same, since not every device may reach every other one.
   */
  private List<Integer> nearDevices() {
    Settings settings = config.settings();
    List<DetectedNet> all = new ArrayList<>();
    if (settings.get(TopologyVariables.CROSS_NIC) == TopologyVariables.CROSSES) {
      for (int i = 0; i < net.devices(); i++) {
        NetProperties properties = net.getProperties(i);
        if (NetDevices.isUsable(properties)) {
          all.add(DetectedNet.of(properties, i, false));
        }
      }
    }
    return near("network " + net.name(), all);
  }

  /**
   * Returns which of some devices of a collective network are near this rank; none where all are
   * alike.
   */
  List<Integer> near(CollNet collNet, int[] devices) {
    List<DetectedNet> all = new ArrayList<>();
    for (int device : devices) {
      all.add(DetectedNet.of(collNet.getProperties(device), device, true));
    }
    return near("collective network " + collNet.name(), all);
  }

  private List<Integer> near(String network, List<DetectedNet> all) {
    if (all.size() < 2) {
      return List.of();
    }
    Settings settings = config.settings();
    try {
      NearNets near = NearNets.here(config.near(), all, settings);
      if (!near.devices().isEmpty()) {
        config
            .logger()
            .info(
                LogSubsystem.GRAPH,
                "NearNets",
                ErrorText.of(
                    "of %d devices of %s those near %s are %s",
                    all.size(), network, near.place(), near.devices()));
      }
      return near.devices();
    } catch (TopologyException e) {
      if (settings.isSet(TopologyVariables.TOPO_FILE)) {
        throw new NetException(ResultCode.INVALID_USAGE, String.valueOf(e.getMessage()), e);
      }
      config
          .logger()
          .warn("NearNets", "all devices of " + network + " count as near: " + e.getMessage());
      return List.of();
    }
  }

  /** Announces to the network how many connections there may be; the collectives are not known. */
  static void announce(PluginSession<Net> network, HostLayout layout, int channels) {
    if (network.net().supports(OptionalOperation.SET_NET_ATTR)) {
      int peers = layout.ranks() - 1;
      NetAttributes.Flows flows = new NetAttributes.Flows(peers, Math.min(1, peers), channels, 1);
      int open = NetAttributes.UNDEFINED;
      network
          .net()
          .setNetAttr(network.context(), new NetAttributes(flows, flows, open, open, open));
    }
  }
}
