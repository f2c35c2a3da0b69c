// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.net.NetContext;
import org.jspecify.annotations.Nullable;

/** The communicators that use an instance, which keeps nothing for them (NET-INIT-08, -09). */
final class MemoryContexts {
  private final class Context implements NetContext {
    private final MemoryContexts owner = MemoryContexts.this;
    private volatile boolean dead;
  }

  /** Makes one. */
  NetContext open() {
    return new Context();
  }

  /** Checks one (NET-INIT-11). */
  void require(@Nullable NetContext token) {
    own(token);
  }

  /** Ends one. */
  void close(@Nullable NetContext token) {
    own(token).dead = true;
  }

  private Context own(@Nullable NetContext token) {
    if (token instanceof Context context && context.owner.equals(this) && !context.dead) {
      return context;
    }
    throw MemoryFailures.token("a context that is open", token);
  }
}
