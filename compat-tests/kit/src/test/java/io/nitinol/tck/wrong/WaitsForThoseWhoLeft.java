// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Request;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Does not notice that a member has left. */
@Breaks(value = "COLL-19", also = "COLL-18")
public final class WaitsForThoseWhoLeft extends WrongCollNet {
  private final Set<Request> hanging = ConcurrentHashMap.newKeySet();

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request != null && hanging.contains(request)) {
      return false;
    }
    try {
      return super.test(request, sizes);
    } catch (NetException e) {
      if (e.result() == ResultCode.REMOTE_ERROR) {
        hanging.add(request);
        return false;
      }
      throw e;
    }
  }
}
