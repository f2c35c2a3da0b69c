// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.net.RecvComm;

/**
 * The receiving end of a connection. Where the plugin wants to hear of it, NCCL calls irecvConsumed
 * for each receive after {@code test} has said that it is complete: until then its pointer lives.
 */
final class RecvSlot extends CommSlot {
  final RecvComm comm;

  private final boolean consumed;

  /**
   * Makes the slot.
   *
   * @param consumed whether the plugin has irecvConsumed
   */
  RecvSlot(RecvComm comm, int most, int requests, boolean consumed) {
    super(most, requests);
    this.comm = comm;
    this.consumed = consumed;
  }

  @Override
  void completed(RequestSlot slot) {
    if (consumed && slot.pieces > 0) { // a flush has none and is not consumed
      slot.complete = true;
    } else {
      takeBack(slot);
    }
  }
}
