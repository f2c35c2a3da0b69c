// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Accepts 32 connections with one listener and no more. */
@Breaks("NET-CONN-10")
public final class ListenerWearsOut extends WrongNet {

  private static final int MOST = 32;

  private final Map<ListenComm, Integer> accepted = new ConcurrentHashMap<>();

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    if (listenComm != null && accepted.getOrDefault(listenComm, 0) >= MOST) {
      return null;
    }
    RecvComm comm = net.accept(listenComm);
    if (comm != null) {
      accepted.merge(listenComm, 1, Integer::sum);
    }
    return comm;
  }
}
