// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.spi.net.NetContext;

/** What belongs to one communicator: its log and its unfinished connections. */
final class OfiContext implements NetContext {
  private final Object plugin;
  private final OfiConnector connector;
  private volatile boolean ended;

  OfiContext(Object plugin, OfiConnector connector) {
    this.plugin = plugin;
    this.connector = connector;
  }

  @SuppressWarnings("ReferenceEquality") // asked for each call, and each is made once
  boolean isOf(Object other) {
    return plugin == other;
  }

  boolean hasEnded() {
    return ended;
  }

  OfiConnector connector() {
    return connector;
  }

  /** Ends it, and its unfinished attempts to connect. */
  void end() {
    ended = true;
    connector.abandon();
  }
}
