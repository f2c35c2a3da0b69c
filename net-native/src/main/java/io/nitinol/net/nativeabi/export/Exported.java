// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.plugin.NetSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.v12.Net;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The network that this process exports. Chosen once, when NCCL first calls {@code init}, in the
 * way of {@link NetSelection}; but {@code NCCL_NET} and {@code NCCL_NET_PLUGIN} are about what NCCL
 * chooses, so {@code NITINOL_NET} says here what the former says to a communicator.
 */
final class Exported {
  /** Why there is no network. */
  private record Failure(ResultCode result, String message) {}

  /** NCCL's log. */
  static final HostLogger LOGGER = new HostLogger();

  private static @Nullable SelectedNet selected;
  private static @Nullable Failure failed;
  private static boolean selecting;
  private static volatile @Nullable Net net;
  private static volatile @Nullable CollNet collNet;

  private Exported() {}

  /**
   * Chooses the network, the first time, and logs to {@code logger} from now on.
   *
   * @param logger an {@code ncclDebugLogger_t}; 0 leaves the log where it goes
   * @throws NetException when there is none, each time the same; INVALID_USAGE to the network under
   *     way that turns out to be this library itself
   */
  static synchronized SelectedNet select(long logger) {
    if (selecting) { // by this thread, which holds the lock; its logger would lead back to ours
      throw new NetException(
          ResultCode.INVALID_USAGE,
          "this is the library that looks for a network to export, and it cannot export itself");
    }
    LOGGER.use(logger);
    Failure before = failed;
    if (before != null) {
      throw new NetException(before.result(), before.message());
    }
    if (selected == null) {
      selecting = true;
      Settings process = Settings.process();
      try {
        PluginCatalog catalog = PluginCatalog.discoverForExport(forDiscovery(process), LOGGER);
        SelectedNet found = NetSelection.selectBy(catalog, process, LOGGER, NativeVariables.NET);
        net = found.net();
        collNet = found.collNet();
        selected = found;
      } catch (NetException e) {
        failed = new Failure(e.result(), String.valueOf(e.getMessage()));
        throw e;
      } finally {
        selecting = false;
      }
    }
    return selected;
  }

  /** Returns the network. */
  static Net net() {
    Net chosen = net;
    if (chosen == null) {
      throw new NetException(
          ResultCode.INVALID_USAGE, "the plugin was not initialized, or its init failed");
    }
    return chosen;
  }

  /** Returns the collective network of the same origin, or null for none. */
  static @Nullable CollNet collNetOrNull() {
    return collNet;
  }

  /** Returns the collective network. */
  static CollNet collNet() {
    CollNet chosen = collNet;
    if (chosen == null) {
      throw new NetException(
          ResultCode.INVALID_USAGE, "there is no collective network beside this network");
    }
    return chosen;
  }

  private static Settings forDiscovery(Settings process) {
    Map<String, String> values = new HashMap<>();
    for (String name : process.names()) {
      String value = process.raw(name);
      if (value != null) {
        values.put(name, value);
      }
    }
    values.remove(CoreVariables.NET_PLUGIN.name());
    values.put(CoreVariables.NET.name(), process.get(NativeVariables.NET));
    return Settings.of(values);
  }
}
