// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;

/** Takes null for a listener that is closed already. */
@Breaks("NET-ERR-02")
public final class ClosesANullListener extends WrongNet {
  @Override
  public void closeListen(ListenComm comm) {
    if (comm != null) {
      net.closeListen(comm);
    }
  }
}
