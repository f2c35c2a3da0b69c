// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.tck.session.NetSession;
import java.lang.foreign.MemorySegment;

/** Takes 150 ms for a listen on its second device. */
@Breaks("NET-CONN-01")
public final class ListensLate extends WrongNet {

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    NetSession.within(device == 1 ? 150_000_000 : 0, () -> device != 1);
    return net.listen(device, handle);
  }
}
