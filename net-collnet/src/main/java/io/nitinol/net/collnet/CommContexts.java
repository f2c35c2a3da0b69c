// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.spi.net.NetContext;
import org.jspecify.annotations.Nullable;

/** The communicators that use an instance, each with a context of the network plugin. */
final class CommContexts {

  /** One communicator's. */
  final class Context implements NetContext {
    private final CommContexts owner = CommContexts.this;
    private final Carrier carrier;
    private volatile boolean dead;

    private Context(Carrier carrier) {
      this.carrier = carrier;
    }

    Carrier carrier() {
      return carrier;
    }
  }

  /** Makes one, which owns the carrier. */
  Context open(Carrier carrier) {
    return new Context(carrier);
  }

  /** Checks one (NET-INIT-11). */
  Context require(@Nullable NetContext token) {
    if (token instanceof Context context && context.owner.equals(this) && !context.dead) {
      return context;
    }
    throw SwitchFailures.token("a context that is open", token);
  }

  /** Ends one. */
  void close(@Nullable NetContext token) {
    Context context = require(token);
    context.dead = true;
    context.carrier.close();
  }
}
