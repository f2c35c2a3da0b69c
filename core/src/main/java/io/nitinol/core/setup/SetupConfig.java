// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.v12.Net;
import org.jspecify.annotations.Nullable;

/**
 * A communicator's configuration as setup reads it; {@code io.nitinol.core.CommConfig}, which the
 * application makes, explains the components.
 *
 * @param network the part that goes to the network plugin
 */
public record SetupConfig(
    Settings settings,
    DebugLogger logger,
    @Nullable String netName,
    @Nullable Net net,
    @Nullable PluginCatalog plugins,
    @Nullable KernelProvider kernels,
    @Nullable String name,
    NetCommConfig network,
    int minChannels,
    int maxChannels,
    @Nullable String near) {

  /** Returns the fewest channels: the variable's, or else the application's; 0 leaves it open. */
  int leastChannels() {
    return settings.isSet(CoreVariables.MIN_NCHANNELS)
        ? settings.get(CoreVariables.MIN_NCHANNELS)
        : minChannels;
  }

  /** Returns the most channels: the variable's, or else the application's; 0 leaves it open. */
  int mostChannels() {
    return settings.isSet(CoreVariables.MAX_NCHANNELS)
        ? settings.get(CoreVariables.MAX_NCHANNELS)
        : maxChannels;
  }

  /** Returns what threads and logs call {@code rank} of this communicator. */
  public String label(int rank) {
    return name == null || name.isBlank() ? "nitinol-" + rank : "nitinol-" + name + "-" + rank;
  }
}
