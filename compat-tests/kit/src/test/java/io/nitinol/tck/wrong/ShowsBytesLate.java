// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Reports a large receive complete while its last bytes are still under way. */
@Breaks("NET-TEST-09")
public final class ShowsBytesLate extends WatchingNet {
  @Override
  void completed(Op op, int @Nullable [] sizes) {
    if (op.sending || op.pieces != 1 || op.lengths[0] != 256 << 10) {
      return;
    }
    MemorySegment memory = op.memory[0];
    long last = op.offsets[0] + op.lengths[0] - 1;
    if (memory != null) {
      byte late = memory.get(ValueLayout.JAVA_BYTE, last);
      memory.set(ValueLayout.JAVA_BYTE, last, (byte) ~late);
      Thread.ofPlatform()
          .daemon()
          .name(name() + "-late")
          .start(() -> {
            LockSupport.parkNanos(5_000_000);
            try {
              memory.set(ValueLayout.JAVA_BYTE, last, late);
            } catch (IllegalStateException e) {
              return; // the memory is gone: nobody waits for the byte any more
            }
          });
    }
  }
}
