// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Clears the byte behind a long message that is no multiple of 8 where its piece has room. */
@Breaks("NET-RECV-05")
public final class CompletesTheLastWord extends WatchingNet {
  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return super.test(request, sizes == null ? new int[8] : sizes);
  }

  @Override
  void completed(Op op, int @Nullable [] sizes) {
    if (sizes != null && !op.sending && op.pieces == 1) {
      int length = sizes[0];
      if (length > 4096 && length % 8 != 0 && length < op.lengths[0]) {
        op.set(0, length, (byte) 0);
      }
    }
  }
}
