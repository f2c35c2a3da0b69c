// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Clears the bytes of a piece that a short message leaves. */
@Breaks("NET-RECV-05")
public final class ClearsTheRest extends WatchingNet {
  private final int[] own = new int[8];

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    Op op = request == null ? null : op(request);
    if (op == null || op.sending) {
      return super.test(request, sizes);
    }
    synchronized (own) {
      boolean done = super.test(request, sizes == null ? own : sizes);
      int[] came = sizes == null ? own : sizes;
      for (int i = 0; done && i < op.pieces; i++) {
        if (came[i] > 0 && came[i] < op.lengths[i]) {
          op.set(i, came[i], (byte) 0);
        }
      }
      return done;
    }
  }
}
