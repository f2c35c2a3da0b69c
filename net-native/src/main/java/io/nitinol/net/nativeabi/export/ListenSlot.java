// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.net.ListenComm;

/** A listener. */
final class ListenSlot extends Slot {
  final ListenComm comm;

  /** The device that it listens on. */
  final int device;

  /** Whether it is the collective network's. */
  final boolean collective;

  ListenSlot(ListenComm comm, int device, boolean collective) {
    this.comm = comm;
    this.device = device;
    this.collective = collective;
  }
}
