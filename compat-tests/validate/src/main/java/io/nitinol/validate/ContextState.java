// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.net.NetContext;
import java.util.concurrent.atomic.AtomicInteger;

/** What is known of a communicator's context; the caller's token in place of the plugin's. */
final class ContextState extends Tracked implements NetContext {
  final NetContext plugins;

  /** Listeners and comms that were opened in it and are not closed. */
  final AtomicInteger open = new AtomicInteger();

  ContextState(Validation validation, long number, NetContext plugins) {
    super(validation, "context", number, -1);
    this.plugins = plugins;
  }
}
