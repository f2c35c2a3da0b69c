// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.DebugLogger;

/**
 * Where a connection comes from and leads to.
 *
 * @param device the device on this side
 * @param target the listener's handle
 * @param options the plugin's settings
 * @param logger told of tries that failed
 */
record Route(SocketDevice device, ListenHandle target, SocketOptions options, DebugLogger logger) {

  /** Returns whether this is the way of {@code other} to the same listener. */
  boolean isLike(SocketDevice otherDevice, ListenHandle otherTarget) {
    return device.index() == otherDevice.index() && target.sameListener(otherTarget);
  }

  /** Returns the two ends for messages. */
  String label() {
    return "peer " + Addresses.text(target.address(), target.port()) + " from " + device.label();
  }
}
