// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.v12.Net;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a selection: an initialized network plugin with devices, as the newest version,
 * and the CollNet plugin that goes with it. The plugins belong to the process and are shared by its
 * communicators.
 *
 * @param net the network
 * @param collNet in-network reduction, initialized and with devices; null where there is none
 * @param name the network's name as it was before {@code init}
 * @param providedVersion the interface version that the plugin itself implements
 * @param adapters the steps between that version and {@code net}, such as {@code v4->v5}
 * @param origin where the plugin comes from
 * @param deviceCount how many devices it has; at least 1
 * @param logger the log that plugins write to
 * @param loader the class loader of the network's class
 * @param collNetLoader that of the CollNet plugin's; null where there is none
 */
public record SelectedNet(
    Net net,
    @Nullable CollNet collNet,
    String name,
    int providedVersion,
    List<String> adapters,
    PluginOrigin origin,
    int deviceCount,
    DebugLogger logger,
    ClassLoader loader,
    @Nullable ClassLoader collNetLoader) {

  /** Copies the list. */
  public SelectedNet {
    adapters = List.copyOf(adapters);
  }

  /**
   * Opens a context in {@link #net} for a communicator.
   *
   * @param commId the communicator's number, the same on all its ranks
   * @throws NetException when the network refuses
   */
  public PluginSession<Net> begin(long commId, NetCommConfig config) {
    return begin(commId, config, null);
  }

  /**
   * The same for a host that profiles.
   *
   * @param profiler what takes the plugin's events until the session is closed; null for none
   */
  public PluginSession<Net> begin(
      long commId, NetCommConfig config, @Nullable NetProfiler profiler) {
    return PluginSession.begin(net, commId, config, logger, profiler, loader);
  }

  /**
   * Opens a context in {@link #collNet} for a communicator.
   *
   * @param commId the communicator's number, the same on all its ranks
   * @return null where there is no CollNet plugin
   * @throws NetException when the plugin refuses
   */
  public @Nullable PluginSession<CollNet> beginCollNet(long commId) {
    return collNet == null ? null : PluginSession.begin(collNet, commId, logger, collNetLoader);
  }
}
