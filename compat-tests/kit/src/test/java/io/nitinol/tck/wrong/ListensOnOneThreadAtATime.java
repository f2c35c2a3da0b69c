// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/** Has one scratch buffer for all handles. */
@Breaks("NET-THREAD-01")
public final class ListensOnOneThreadAtATime extends WrongNet {
  private final AtomicBoolean busy = new AtomicBoolean();

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    enter();
    try {
      return net.listen(device, handle);
    } finally {
      busy.set(false);
    }
  }

  private void enter() {
    if (!busy.compareAndSet(false, true)) {
      throw new NetException(ResultCode.INTERNAL_ERROR, "called by two threads at once");
    }
    for (int i = 0; i < 200; i++) {
      Thread.onSpinWait();
    }
  }
}
