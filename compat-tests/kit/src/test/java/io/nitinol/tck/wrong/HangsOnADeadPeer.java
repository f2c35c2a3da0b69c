// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Request;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Waits for a peer whose process has ended to come back. */
@Breaks("NET-ERR-07")
public final class HangsOnADeadPeer extends WrongNet {
  private final Set<Request> hanging = ConcurrentHashMap.newKeySet();

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request != null && hanging.contains(request)) {
      return false;
    }
    try {
      return net.test(request, sizes);
    } catch (NetException e) {
      if (OtherProcess.isNamedIn(e)) {
        hanging.add(request);
        return false;
      }
      throw e;
    }
  }
}
