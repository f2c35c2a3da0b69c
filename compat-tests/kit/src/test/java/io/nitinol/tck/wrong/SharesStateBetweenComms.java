// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Has one scratch buffer for the sends of all comms. */
@Breaks("NET-THREAD-02")
public final class SharesStateBetweenComms extends WrongNet {
  private final AtomicBoolean busy = new AtomicBoolean();

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    enter();
    try {
      return net.isend(comm, mr, offset, length, tag);
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
