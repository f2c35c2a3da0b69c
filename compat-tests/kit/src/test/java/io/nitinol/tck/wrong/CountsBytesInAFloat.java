// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Loses a byte where a float cannot tell two lengths apart. */
@Breaks("NET-SEND-08")
public final class CountsBytesInAFloat extends WatchingNet {
  private static final int EXACT = 1 << 24;

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return super.test(request, sizes == null ? new int[8] : sizes);
  }

  @Override
  void completed(Op op, int @Nullable [] sizes) {
    if (sizes != null && !op.sending && op.pieces == 1 && sizes[0] > EXACT + 1) {
      op.set(0, EXACT + 1, (byte) ~op.get(0, EXACT + 1));
    }
  }
}
