// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.net.CollComm;

/** A member of a group. */
final class CollSlot extends CommSlot {
  final CollComm comm;

  CollSlot(CollComm comm, int most, int requests) {
    super(most, requests);
    this.comm = comm;
  }
}
