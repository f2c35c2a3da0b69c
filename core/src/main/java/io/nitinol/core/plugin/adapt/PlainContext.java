// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;

/** A communicator's context for a plugin whose version has none: only what the caller gave. */
final class PlainContext implements NetContext {
  private final Object owner;
  private final NetCommConfig config;
  private volatile boolean dead;

  /**
   * Makes a context.
   *
   * @param owner the adapter that it is for, which takes no other's
   */
  PlainContext(Object owner, NetCommConfig config) {
    this.owner = owner;
    this.config = config;
  }

  /** Returns what the communicator asked for. */
  NetCommConfig config() {
    return config;
  }

  /**
   * Checks what a caller gave as a context.
   *
   * @return the context, alive and of {@code owner}
   * @throws NetException INVALID_ARGUMENT for anything else
   */
  static PlainContext require(Object owner, NetContext context) {
    if (!(context instanceof PlainContext own) || !own.owner.equals(owner)) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "expected a context of this network, got " + context);
    }
    if (own.dead) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "the context was finalized before");
    }
    return own;
  }

  /** Ends it. */
  void finish() {
    dead = true;
  }
}
