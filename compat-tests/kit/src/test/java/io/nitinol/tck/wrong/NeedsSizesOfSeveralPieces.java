// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import org.jspecify.annotations.Nullable;

/** Sums up the sizes of several pieces, and does not expect that nobody wants them. */
@Breaks("NET-TEST-07")
public final class NeedsSizesOfSeveralPieces extends WatchingNet {
  @Override
  void completed(Op op, int @Nullable [] sizes) {
    if (sizes == null && op.pieces > 1) {
      throw new NullPointerException("sizes");
    }
  }
}
