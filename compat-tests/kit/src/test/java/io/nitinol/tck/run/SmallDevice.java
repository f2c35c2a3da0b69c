// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v12.NetProperties;

/**
 * A device that takes short messages and operations only.
 *
 * @param most the longest, in bytes
 * @param global whether registrations are for all comms of the device
 */
record SmallDevice(long most, boolean global) {
  /** What plugins have that are made now; other processes of the kit have the first value. */
  private static volatile SmallDevice current = new SmallDevice(1003, false);

  /** Returns the device of plugins that are made now. */
  static SmallDevice current() {
    return current;
  }

  /** Sets the device of the plugins that this process makes from now on. */
  static void set(SmallDevice device) {
    current = device;
  }

  /** Returns these properties with the limits of this device. */
  NetProperties of(NetProperties other) {
    return new NetProperties(
        other.name(),
        other.pciPath(),
        other.guid(),
        other.ptrSupport(),
        global,
        other.forceFlush(),
        other.speed(),
        other.port(),
        other.latency(),
        other.maxComms(),
        other.maxRecvs(),
        other.netDeviceType(),
        other.netDeviceVersion(),
        other.virtualDevice(),
        most,
        most,
        other.maxMultiRequestSize(),
        other.railId(),
        other.planeId());
  }

  /** Refuses what is longer than the properties allow. */
  void refuseMore(long bytes) {
    if (bytes > most) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, bytes + " bytes, expected at most " + most);
    }
  }
}
