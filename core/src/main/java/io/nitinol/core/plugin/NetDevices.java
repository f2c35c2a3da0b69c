// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.v12.NetProperties;

/** Which devices of a network core can use. */
public final class NetDevices {
  private NetDevices() {}

  /**
   * Returns whether a device takes host memory and leaves the driving to the host: core has no code
   * on a GPU that a network could offload connections to.
   */
  public static boolean isUsable(NetProperties device) {
    return PointerType.HOST.in(device.ptrSupport()) && device.netDeviceType() == NetDeviceType.HOST;
  }

  /** Returns why a device is not used, human-readable. */
  public static String whyNot(NetProperties device) {
    return PointerType.HOST.in(device.ptrSupport())
        ? device.name() + " (netDeviceType " + device.netDeviceType() + ')'
        : device.name() + " (ptrSupport " + device.ptrSupport() + ')';
  }
}
