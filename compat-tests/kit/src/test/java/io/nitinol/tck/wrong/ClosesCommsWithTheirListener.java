// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Takes all but the first connection along when the listener closes. */
@Breaks("NET-CLOSE-07")
public final class ClosesCommsWithTheirListener extends WrongNet {
  private final Map<ListenComm, List<RecvComm>> accepted = new ConcurrentHashMap<>();
  private final Set<RecvComm> open = ConcurrentHashMap.newKeySet();
  private final Set<RecvComm> taken = ConcurrentHashMap.newKeySet();

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    RecvComm comm = net.accept(listenComm);
    if (comm != null) {
      accepted.computeIfAbsent(listenComm, key -> new ArrayList<>()).add(comm);
      open.add(comm);
    }
    return comm;
  }

  @Override
  public void closeListen(ListenComm comm) {
    net.closeListen(comm);
    List<RecvComm> comms = accepted.remove(comm);
    if (comms != null) {
      for (RecvComm recv : comms.subList(1, comms.size())) {
        if (open.remove(recv)) {
          net.closeRecv(recv);
          taken.add(recv);
        }
      }
    }
  }

  @Override
  public void closeRecv(RecvComm comm) {
    if (comm != null && taken.remove(comm)) {
      return;
    }
    net.closeRecv(comm);
    open.remove(comm);
  }
}
