// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.spi.net.RecvComm;

/** The receiver's copy of the clear-to-send table, which nobody writes but the receiver. */
public final class OwnTable {
  private OwnTable() {}

  /** Forgets what has been written. */
  public static void wipe(RecvComm comm) {
    ((IbCommEnd) comm).connection.memory(0, ClearToSend.SIZE).fill((byte) 0);
  }
}
