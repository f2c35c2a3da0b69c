// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.spi.DebugLogger;

/**
 * Warns of connections that were dropped because they did not prove to be a peer: the first ones
 * each, then ever more rarely, so that a scan does not fill the log.
 */
final class StrangerLog {
  private static final long ALL_UP_TO = 8;

  private final ConnectOptions options;
  private final DebugLogger logger;
  private final String listener;
  private long dropped;

  StrangerLog(ConnectOptions options, DebugLogger logger, String listener) {
    this.options = options;
    this.logger = logger;
    this.listener = listener;
  }

  void dropped(String from, String why) {
    dropped++;
    if (dropped <= ALL_UP_TO || Long.bitCount(dropped) == 1) {
      options.warn(
          logger,
          listener
              + " dropped a connection from "
              + from
              + ": "
              + why
              + (dropped > ALL_UP_TO ? " (the " + dropped + "th so dropped)" : ""));
    }
  }
}
