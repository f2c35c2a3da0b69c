// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;

/** Takes a call in silence that it says it does not support. */
@Breaks("NET-OPT-01")
public final class ConsumesWhatItDenies extends WrongNewestNet {
  @Override
  public void irecvConsumed(RecvComm comm, int n, Request request) {}
}
