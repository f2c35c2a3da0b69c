// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.core.setup.SetupConfig;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerText;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an application may decide about a communicator; mirrors {@code ncclConfig_t}. A variable
 * that decides the same thing wins. Immutable: each {@code with} gives a new one. Communicators
 * that split and shrink make inherit the configuration. What NCCL calls {@code blocking} is a
 * choice between two calls here: {@link Communicator#init(UniqueId, int, int, CommConfig)} and
 * {@link Communicator#initAsync(UniqueId, int, int, CommConfig)}.
 *
 * @param settings the variables
 * @param logger where the communicator writes its log
 * @param netName the network to use, in any case; null leaves the choice to the variables
 * @param net a network object of the application's own, with devices, to be used instead of any
 *     that could be found; each communicator calls its {@code init} for a context of its own; null
 *     finds one
 * @param plugins the plugins to choose among, such as an application discovered for itself; null
 *     takes those of the process
 * @param kernels the reduction kernels to use; null takes the best that there is
 * @param name what the communicator is called in logs, reports and thread names; null for none
 * @param trafficClass a number for network plugins that take one ({@code ncclNet} version 10 and
 *     later), which mark their packets with it as they think fit; the others never see it
 * @param minChannels fewest channels, as {@code NCCL_MIN_NCHANNELS}, which wins; 0 leaves it open
 * @param maxChannels most channels, as {@code NCCL_MAX_NCHANNELS}, which wins; 0 leaves it open
 * @param near the PCI address of the device whose memory this rank works on, such as {@code
 *     0000:11:00.0}: the rank's threads run near it and, with {@code NCCL_CROSS_NIC=1}, the network
 *     devices near it are used; null for a rank that works on host memory
 */
public record CommConfig(
    Settings settings,
    DebugLogger logger,
    @Nullable String netName,
    @Nullable Net net,
    @Nullable PluginCatalog plugins,
    @Nullable KernelProvider kernels,
    @Nullable String name,
    int trafficClass,
    int minChannels,
    int maxChannels,
    @Nullable String near) {

  /** The traffic class where none is wanted; NCCL's {@code NCCL_CONFIG_UNDEF_INT}. */
  public static final int TRAFFIC_CLASS_UNDEFINED = Integer.MIN_VALUE;

  /** How much of a wrong address a message has. */
  private static final int MOST_TEXT = 40;

  private static final Pattern PCI_ADDRESS =
      Pattern.compile("([0-9a-f]{4}|[0-9a-f]{8}):[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");

  /** How NVIDIA's tools write the domain that is 0000 elsewhere. */
  private static final String LONG_DOMAIN = "00000000";

  /** The most channels that can be asked for. */
  private static final int MOST_CHANNELS = 64;

  /**
   * Checks the numbers.
   *
   * @throws CommException INVALID_ARGUMENT for numbers of channels that cannot be, and for what is
   *     no PCI address
   */
  public CommConfig {
    if (minChannels < 0
        || maxChannels < 0
        || Math.max(minChannels, maxChannels) > MOST_CHANNELS
        || (maxChannels > 0 && minChannels > maxChannels)) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "config: channels are at least %d and at most %d; expected 0, which leaves it open,"
                  + " to %d, and the least not above the most",
              minChannels, maxChannels, MOST_CHANNELS));
    }
    if (near != null) {
      String address = near.toLowerCase(Locale.ROOT);
      if (!PCI_ADDRESS.matcher(address).matches()) {
        throw new CommException(
            ResultCode.INVALID_ARGUMENT,
            ErrorText.of(
                "config: near is %s; expected a PCI address such as 0000:11:00.0",
                PeerText.printable(near, MOST_TEXT)));
      }
      near =
          address.startsWith(LONG_DOMAIN) ? address.substring(LONG_DOMAIN.length() / 2) : address;
    }
  }

  /**
   * Returns the configuration with the variables and the log of the process, all else left open.
   */
  public static CommConfig standard() {
    return new CommConfig(
        Settings.process(),
        Log.process(),
        null,
        null,
        null,
        null,
        null,
        TRAFFIC_CLASS_UNDEFINED,
        0,
        0,
        null);
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
    return with(draft -> draft.settings = newSettings);
  }

  /** Returns this configuration with another log. */
  public CommConfig withLogger(DebugLogger newLogger) {
    return with(draft -> draft.logger = newLogger);
  }

  /** Returns this configuration with the network of that name. */
  public CommConfig withNetName(@Nullable String newNetName) {
    return with(draft -> draft.netName = newNetName);
  }

  /** Returns this configuration with a network object that has devices. */
  public CommConfig withNet(@Nullable Net newNet) {
    return with(draft -> draft.net = newNet);
  }

  /**
   * Returns this configuration with plugins to choose among, for applications that bring their own:
   * {@code PluginCatalog.discover(...)}, called once. What it was discovered with decides which
   * plugins there are; {@code NCCL_NET} and {@code NITINOL_COLLNET} of these settings choose.
   */
  public CommConfig withPlugins(@Nullable PluginCatalog newPlugins) {
    return with(draft -> draft.plugins = newPlugins);
  }

  /** Returns this configuration with other reduction kernels. */
  public CommConfig withKernels(@Nullable KernelProvider newKernels) {
    return with(draft -> draft.kernels = newKernels);
  }

  /** Returns this configuration with a name for the communicator, in logs and reports. */
  public CommConfig withName(@Nullable String newName) {
    return with(draft -> draft.name = newName);
  }

  /** Returns this configuration with a traffic class. */
  public CommConfig withTrafficClass(int newTrafficClass) {
    return with(draft -> draft.trafficClass = newTrafficClass);
  }

  /** Returns this configuration with bounds on the number of channels; 0 leaves one open. */
  public CommConfig withChannels(int newMinChannels, int newMaxChannels) {
    return with(draft -> {
      draft.minChannels = newMinChannels;
      draft.maxChannels = newMaxChannels;
    });
  }

  /**
   * Returns this configuration for a rank that works on the memory of a device on the PCI bus; what
   * {@code Device.pciId()} tells.
   */
  public CommConfig withNear(@Nullable String newNear) {
    return with(draft -> draft.near = newNear);
  }

  /** Returns this configuration as the setup of a communicator reads it. */
  SetupConfig forSetup() {
    return new SetupConfig(
        settings,
        logger,
        netName,
        net,
        plugins,
        kernels,
        name,
        trafficClass == TRAFFIC_CLASS_UNDEFINED
            ? NetCommConfig.DEFAULT
            : new NetCommConfig(trafficClass),
        minChannels,
        maxChannels,
        near);
  }

  private CommConfig with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new CommConfig(
        draft.settings,
        draft.logger,
        draft.netName,
        draft.net,
        draft.plugins,
        draft.kernels,
        draft.name,
        draft.trafficClass,
        draft.minChannels,
        draft.maxChannels,
        draft.near);
  }

  /** The parts of a configuration that is about to differ in some of them. */
  private static final class Draft {
    private Settings settings;
    private DebugLogger logger;
    private @Nullable String netName;
    private @Nullable Net net;
    private @Nullable PluginCatalog plugins;
    private @Nullable KernelProvider kernels;
    private @Nullable String name;
    private int trafficClass;
    private int minChannels;
    private int maxChannels;
    private @Nullable String near;

    Draft(CommConfig of) {
      this.settings = of.settings;
      this.logger = of.logger;
      this.netName = of.netName;
      this.net = of.net;
      this.plugins = of.plugins;
      this.kernels = of.kernels;
      this.name = of.name;
      this.trafficClass = of.trafficClass;
      this.minChannels = of.minChannels;
      this.maxChannels = of.maxChannels;
      this.near = of.near;
    }
  }
}
