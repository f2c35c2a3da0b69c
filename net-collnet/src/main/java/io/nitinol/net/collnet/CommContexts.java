// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.spi.net.NetContext;
import org.jspecify.annotations.Nullable;

/** The contexts of the communicators that use an instance, each with one of the network plugin. */
final class CommContexts {

  /** The context of one communicator. */
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

  /** Opens a context, which owns the carrier. */
  Context open(Carrier carrier) {
    return new Context(carrier);
  }

  /** Returns the token as an open context of this instance (NET-INIT-11). */
  Context require(@Nullable NetContext token) {
    if (token instanceof Context context && context.owner.equals(this) && !context.dead) {
      return context;
    }
    throw SwitchFailures.token("a context that is open", token);
  }

  /** Closes a context and its carrier. */
  void close(@Nullable NetContext token) {
    Context context = require(token);
    context.dead = true;
    context.carrier.close();
  }
}
