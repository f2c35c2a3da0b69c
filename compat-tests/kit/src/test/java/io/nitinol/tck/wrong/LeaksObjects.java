// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps a kilobyte about each connection that ever was. */
@Breaks("NET-CLOSE-08")
public final class LeaksObjects extends WrongNet {
  private final List<byte[]> kept = new ArrayList<>();

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    RecvComm comm = net.accept(listenComm);
    if (comm != null) {
      kept.add(new byte[1024]);
    }
    return comm;
  }
}
