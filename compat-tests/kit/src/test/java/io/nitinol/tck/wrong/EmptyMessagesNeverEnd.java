// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Request;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Never reports a receive of 0 bytes. */
@Breaks("NET-SEND-07")
public final class EmptyMessagesNeverEnd extends WrongNet {
  private final Set<Request> lost = ConcurrentHashMap.newKeySet();

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request != null && lost.contains(request)) {
      return false;
    }
    int[] own = sizes == null ? new int[8] : sizes;
    int before = own.length == 0 ? 0 : own[0];
    boolean done = super.test(request, own);
    if (done && own[0] == 0 && before != 0) {
      lost.add(request);
      return false;
    }
    return done;
  }
}
