// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import org.jspecify.annotations.Nullable;

/** Changes the first byte of a large message that it has sent. */
@Breaks("NET-SEND-11")
public final class ScramblesWhatItSent extends WatchingNet {
  @Override
  void completed(Op op, int @Nullable [] sizes) {
    if (op.sending && op.lengths[0] >= 1 << 20) {
      op.set(0, 0, (byte) ~op.get(0, 0));
    }
  }
}
