// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.kernel.KernelProvider;
import io.nitinol.core.log.Log;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
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
 * @param kernels the reduction kernels to use; null takes the best that there is
 */
public record CommConfig(
    Settings settings,
    DebugLogger logger,
    @Nullable String netName,
    @Nullable Net net,
    @Nullable KernelProvider kernels) {

  /** Returns what holds where nothing is said: the variables and the log of the process. */
  public static CommConfig standard() {
    return new CommConfig(Settings.process(), Log.process(), null, null, null);
  }

  /** Returns this configuration with other variables. */
  public CommConfig withSettings(Settings newSettings) {
    return new CommConfig(newSettings, logger, netName, net, kernels);
  }

  /** Returns this configuration with another log. */
  public CommConfig withLogger(DebugLogger newLogger) {
    return new CommConfig(settings, newLogger, netName, net, kernels);
  }

  /** Returns this configuration with the network of that name. */
  public CommConfig withNetName(@Nullable String newNetName) {
    return new CommConfig(settings, logger, newNetName, net, kernels);
  }

  /** Returns this configuration with a network object, initialized and with devices. */
  public CommConfig withNet(@Nullable Net newNet) {
    return new CommConfig(settings, logger, netName, newNet, kernels);
  }

  /** Returns this configuration with other reduction kernels. */
  public CommConfig withKernels(@Nullable KernelProvider newKernels) {
    return new CommConfig(settings, logger, netName, net, newKernels);
  }
}
