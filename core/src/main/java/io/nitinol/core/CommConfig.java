// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.net.v6.Net;
import org.jspecify.annotations.Nullable;

/**
 * What an application may decide about a communicator; mirrors {@code ncclConfig_t}. Variables win
 * over it where both speak of the same thing. Immutable: each {@code with} gives a new one.
 *
 * @param settings the variables
 * @param logger where the communicator writes its log
 * @param netName the network to use, in any case; null leaves the choice to the variables
 * @param net a network object of the application's own, initialized and with devices, to be used
 *     instead of any that could be found; null finds one
 * @param plugins the plugins to choose among, such as an application discovered for itself; null
 *     takes those of the process
 * @param kernels the reduction kernels to use; null takes the best that there is
 */
public record CommConfig(
    Settings settings,
    DebugLogger logger,
    @Nullable String netName,
    @Nullable Net net,
    @Nullable PluginCatalog plugins,
    @Nullable KernelProvider kernels) {

  /** Returns what holds where nothing is said: the variables and the log of the process. */
  public static CommConfig standard() {
    return new CommConfig(Settings.process(), Log.process(), null, null, null, null);
  }

  /**
   * Returns this configuration with other variables, for what core does for this communicator.
   *
   * <p>Plugins belong to the process: they are found and initialized once, and read the process's
   * environment and files, never these settings. So {@code NITINOL_PLUGIN_PATH}, {@code
   * NCCL_NET_PLUGIN} and all that plugins declare, {@code NCCL_SOCKET_*} of the built-in TCP plugin
   * among them, are the process's; {@code NCCL_SOCKET_IFNAME} and {@code NCCL_SOCKET_FAMILY} given
   * here count for the bootstrap only. Where such a variable is given and differs from the
   * process's, the communicator logs a warning that names it. {@link #withPlugins} takes other
   * plugins than the process's.
   */
  public CommConfig withSettings(Settings newSettings) {
    return new CommConfig(newSettings, logger, netName, net, plugins, kernels);
  }

  /** Returns this configuration with another log. */
  public CommConfig withLogger(DebugLogger newLogger) {
    return new CommConfig(settings, newLogger, netName, net, plugins, kernels);
  }

  /** Returns this configuration with the network of that name. */
  public CommConfig withNetName(@Nullable String newNetName) {
    return new CommConfig(settings, logger, newNetName, net, plugins, kernels);
  }

  /** Returns this configuration with a network object, initialized and with devices. */
  public CommConfig withNet(@Nullable Net newNet) {
    return new CommConfig(settings, logger, netName, newNet, plugins, kernels);
  }

  /**
   * Returns this configuration with plugins to choose among, for applications that bring their own:
   * {@code PluginCatalog.discover(...)}, called once. What it was discovered with decides which
   * plugins there are; {@code NCCL_NET} and {@code NITINOL_COLLNET} of these settings choose.
   */
  public CommConfig withPlugins(@Nullable PluginCatalog newPlugins) {
    return new CommConfig(settings, logger, netName, net, newPlugins, kernels);
  }

  /** Returns this configuration with other reduction kernels. */
  public CommConfig withKernels(@Nullable KernelProvider newKernels) {
    return new CommConfig(settings, logger, netName, net, plugins, newKernels);
  }
}
