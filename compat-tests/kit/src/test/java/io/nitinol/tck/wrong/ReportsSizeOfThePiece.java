// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import org.jspecify.annotations.Nullable;

/** Reports the room in a piece as the size of its message. */
@Breaks(value = "NET-RECV-04", also = "NET-RECV-10")
public final class ReportsSizeOfThePiece extends WatchingNet {
  @Override
  void completed(Op op, int @Nullable [] sizes) {
    for (int i = 0; sizes != null && !op.sending && i < op.pieces; i++) {
      sizes[i] = (int) op.lengths[i];
    }
  }
}
