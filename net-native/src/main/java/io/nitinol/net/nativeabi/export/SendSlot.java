// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.net.SendComm;

/** The sending end of a connection. */
final class SendSlot extends CommSlot {
  final SendComm comm;

  SendSlot(SendComm comm, int requests) {
    super(1, requests);
    this.comm = comm;
  }
}
