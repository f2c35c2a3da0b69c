// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.Addresses;

/**
 * Where a connection comes from and leads to.
 *
 * @param here this side
 * @param target the listener's handle
 * @param options the plugin's settings
 * @param logger told of tries that failed
 */
record Route(LocalEnd here, ListenHandle target, ConnectOptions options, DebugLogger logger) {

  /** Returns the address of the other end for messages. */
  String peer() {
    return Addresses.text(target.address(), target.port());
  }

  /** Returns the two ends for messages. */
  String label() {
    return "peer " + peer() + " from " + here.label();
  }
}
