// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** A request of a comm, which keeps such slots and gives each use another pointer. */
final class RequestSlot extends Slot {
  /** The comm that keeps the slot. */
  final CommSlot owner;

  /** The plugin's request; null while the slot is free. */
  @Nullable Request request;

  /** Whether {@code test} has said that it is complete, and only irecvConsumed may follow. */
  boolean complete;

  /** How many sizes there are once it is complete. */
  int pieces;

  RequestSlot(CommSlot owner) {
    this.owner = owner;
  }
}
