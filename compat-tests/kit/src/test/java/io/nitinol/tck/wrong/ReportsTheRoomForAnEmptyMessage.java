// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import org.jspecify.annotations.Nullable;

/** Takes 0 bytes in the last of several pieces for a size that is not known, and fills it in. */
@Breaks("NET-SEND-07")
public final class ReportsTheRoomForAnEmptyMessage extends WatchingNet {
  @Override
  void completed(Op op, int @Nullable [] sizes) {
    int last = op.pieces - 1;
    if (sizes != null && !op.sending && last > 0 && sizes[last] == 0) {
      sizes[last] = (int) op.lengths[last];
    }
  }
}
