// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Fails accept for good where one who had connected is gone before it is accepted. */
@Breaks("NET-CONN-17")
public final class ListenerFailsWithAPeer extends SocketBacklog {
  private final Set<SendComm> gone = ConcurrentHashMap.newKeySet();

  @Override
  public void closeSend(SendComm comm) {
    net.closeSend(comm);
    if (WAITING.contains(comm)) {
      gone.add(comm);
    }
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    SendComm next = listenComm == null ? null : next(listenComm);
    if (next != null && gone.contains(next)) {
      throw new NetException(ResultCode.REMOTE_ERROR, "a peer has gone");
    }
    return super.accept(listenComm);
  }
}
