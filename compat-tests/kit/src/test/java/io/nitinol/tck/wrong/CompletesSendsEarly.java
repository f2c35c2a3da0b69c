// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Request;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Reports large sends complete once it has begun with them. */
@Breaks(value = "NET-SEND-10", also = "NET-CLOSE-04")
public final class CompletesSendsEarly extends WatchingNet {
  private final Queue<Request> begun = new ConcurrentLinkedQueue<>();

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (!begun.isEmpty()) { // allocates
      begun.removeIf(earlier -> earlier != request && ended(earlier));
    }
    Op op = op(request);
    if (op != null
        && op.live
        && op.sending
        && op.lengths[0] > 1 << 20
        && !begun.contains(request)) {
      if (!super.test(request, sizes)) {
        begun.add(request);
        if (sizes != null) {
          sizes[0] = (int) op.lengths[0];
        }
      }
      return true;
    }
    return super.test(request, sizes);
  }

  private boolean ended(Request request) {
    try {
      return super.test(request, null);
    } catch (NetException e) {
      return true; // it will not be missed
    }
  }
}
