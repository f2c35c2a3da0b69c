// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.plugin.DeviceSelection;
import io.nitinol.core.plugin.PluginCatalog;
import io.nitinol.spi.NetException;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.toolkit.thread.AnyThread;

/** Finds the kind of device whose memory a program uses. */
@AnyThread
public final class Devices {
  private Devices() {}

  /** Chooses with the settings of the process; see the other {@code provider}. */
  public static DeviceProvider provider() {
    return provider(CommConfig.standard());
  }

  /**
   * Chooses the provider that {@code NITINOL_DEVICE} names, or else the one of the highest priority
   * that works in this process and has a device.
   *
   * @param config where the plugins and the variables come from
   * @return the provider, whose {@code devices()} has at least one
   * @throws CommException INVALID_USAGE where there is none; the message lists those that were
   *     found and why each cannot be used
   */
  public static DeviceProvider provider(CommConfig config) {
    BufferCheck.given("devices", "config", config);
    try {
      PluginCatalog own = config.plugins();
      return DeviceSelection.select(
          own == null ? PluginCatalog.process() : own, config.settings(), config.logger());
    } catch (NetException e) {
      throw new CommException(e.result(), -1, String.valueOf(e.getMessage()), e);
    }
  }
}
