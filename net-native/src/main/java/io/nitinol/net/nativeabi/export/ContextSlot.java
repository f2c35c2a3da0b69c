// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.core.plugin.PluginSession;
import io.nitinol.spi.net.NetContext;

/** The plugin's state for one communicator. */
final class ContextSlot extends Slot {
  final NetContext context;

  /** Whether it is the collective network's. */
  final boolean collective;

  private final Runnable end;

  /** A context of a network; {@code session} is this object's from now on. */
  ContextSlot(PluginSession<?> session, boolean collective) {
    this.context = session.context();
    this.collective = collective;
    this.end = session::close;
  }

  /** Finalizes the context that a pointer stands for; none is what a failed init has left. */
  static void finish(long pointer, boolean collective) {
    if (pointer == 0) { // NCCL 2.28 finalizes what a failed init has not made
      return;
    }
    ContextSlot slot = ExportHandles.context(pointer, collective);
    ExportHandles.CONTEXTS.remove(slot);
    slot.end.run();
  }
}
