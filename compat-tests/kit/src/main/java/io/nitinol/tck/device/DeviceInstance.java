// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.device;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.session.CallTrace;
import io.nitinol.tck.session.TracedDevices;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A provider that has been asked whether it can work.
 *
 * @param provider the provider with its calls traced
 * @param devices its devices, none where it cannot work
 * @param reason why it cannot work, or null
 */
public record DeviceInstance(
    DeviceProvider provider, List<Device> devices, @Nullable String reason) {

  /**
   * Makes a provider and calls nothing of it.
   *
   * @throws RuleViolation of DEV-01 when it cannot be made
   */
  public static DeviceProvider create(PluginUnderTest plugin, Lane lane, CallTrace trace) {
    Object raw;
    try {
      raw = plugin.create(lane);
    } catch (Throwable e) {
      throw new RuleViolation("DEV-01", "the provider's constructor threw " + e, e);
    }
    return TracedDevices.around((DeviceProvider) raw, trace);
  }

  /**
   * Makes a provider and asks for its devices.
   *
   * @throws RuleViolation when it throws
   */
  public static DeviceInstance start(PluginUnderTest plugin, Lane lane, CallTrace trace) {
    DeviceProvider provider = create(plugin, lane, trace);
    String reason;
    try {
      reason = provider.unavailable();
    } catch (Throwable e) {
      throw new RuleViolation("DEV-03", "unavailable threw " + e, e);
    }
    List<Device> devices;
    try {
      devices = provider.devices();
    } catch (Throwable e) {
      throw new RuleViolation("DEV-04", "devices threw " + e, e);
    }
    if (devices == null) {
      throw new RuleViolation("DEV-04", "devices is null");
    }
    return new DeviceInstance(provider, List.copyOf(devices), reason);
  }
}
