// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.net.RecvComm;

/** The receiving end of a connection. */
final class RecvSlot extends CommSlot {
  final RecvComm comm;

  RecvSlot(RecvComm comm, int most, int requests) {
    super(most, requests);
    this.comm = comm;
  }
}
