// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/** Allocates a buffer for each connection that lives as long as the process. */
@Breaks("NET-CLOSE-08")
public final class LeaksNativeMemory extends WrongNet {
  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    RecvComm comm = net.accept(listenComm);
    if (comm != null) {
      Arena.global().allocate(4096).fill((byte) 1);
    }
    return comm;
  }
}
