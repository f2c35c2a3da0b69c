// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.session.NetSession;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Waits in connect for somebody to accept, on its second device. */
@Breaks("NET-CONN-07")
public final class ConnectWaitsForAccept extends WrongNet {

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    @Nullable SendComm[] comm = {net.connect(device, handle)};
    if (comm[0] == null && device == 1) {
      NetSession.within(
          150_000_000,
          () -> {
            comm[0] = net.connect(device, handle);
            return comm[0] != null;
          });
    }
    return comm[0];
  }
}
