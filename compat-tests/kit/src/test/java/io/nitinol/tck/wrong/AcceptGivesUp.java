// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Never accepts again where forty calls in a row found nobody. */
@Breaks("NET-CONN-09")
public final class AcceptGivesUp extends WrongNet {

  private static final int MOST = 40;

  private final Map<ListenComm, Integer> empty = new ConcurrentHashMap<>();

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    if (listenComm == null || empty.getOrDefault(listenComm, 0) < MOST) {
      RecvComm comm = net.accept(listenComm);
      if (comm != null) {
        empty.remove(listenComm);
      } else {
        empty.merge(listenComm, 1, Integer::sum);
      }
      return comm;
    }
    return null;
  }
}
