// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.net.NetContext;

/** What the plugin keeps for one communicator. */
final class ContextSlot extends Slot {
  final NetContext context;

  /** Whether it is the collective network's. */
  final boolean collective;

  ContextSlot(NetContext context, boolean collective) {
    this.context = context;
    this.collective = collective;
  }
}
