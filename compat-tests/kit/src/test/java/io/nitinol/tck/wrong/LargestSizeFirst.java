// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reports the sizes of a receive in an order of its own. */
@Breaks(value = "NET-RECV-10", also = "NET-RECV-04")
public final class LargestSizeFirst extends WatchingNet {
  @Override
  void completed(Op op, int @Nullable [] sizes) {
    if (sizes != null && !op.sending && op.pieces > 1) {
      Arrays.sort(sizes, 0, op.pieces);
      for (int i = 0; i < op.pieces / 2; i++) {
        int small = sizes[i];
        sizes[i] = sizes[op.pieces - 1 - i];
        sizes[op.pieces - 1 - i] = small;
      }
    }
  }
}
