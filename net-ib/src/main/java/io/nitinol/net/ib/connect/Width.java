// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;

/**
 * How many ports a device has and how many queue pairs it wants for a connection. The listening
 * side's travels in the handle; a connection has as many as the side that wants more.
 *
 * @param ports how many ports, 1 to {@link IbDevice#MAX_PORTS}
 * @param lanes how many queue pairs, {@code ports} to {@link EndInfo#MOST_QUEUE_PAIRS}
 */
record Width(int ports, int lanes) {
  private static final int PORTS_SHIFT = 8;

  /** Returns what a device wants. */
  static Width of(IbDevice device, IbOptions options) {
    int ports = device.ports().size();
    int wanted = ports * options.connection().queuePairsPerPort();
    return new Width(ports, Math.min(wanted, EndInfo.MOST_QUEUE_PAIRS / ports * ports));
  }

  /** Returns the number that stands for it in a handle. */
  int toDetail() {
    return ports << PORTS_SHIFT | lanes;
  }

  /**
   * Reads the number in a handle.
   *
   * @throws NetException REMOTE_ERROR for a number that stands for nothing
   */
  static Width ofDetail(int detail, String label) {
    int ports = detail >> PORTS_SHIFT;
    int lanes = detail & (1 << PORTS_SHIFT) - 1;
    if (ports < 1
        || ports > IbDevice.MAX_PORTS
        || lanes < ports
        || lanes > EndInfo.MOST_QUEUE_PAIRS) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          label + ": the handle asks for " + lanes + " queue pairs on " + ports + " ports");
    }
    return new Width(ports, lanes);
  }

  /** Returns how many queue pairs a connection of two such sides has. */
  int lanesWith(Width other) {
    return Math.max(lanes, other.lanes);
  }
}
