// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Has a thread for each connection that outlives it. */
@Breaks("NET-CLOSE-08")
public final class LeaksAThread extends WrongNet {
  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    RecvComm comm = net.accept(listenComm);
    if (comm != null) {
      Thread.ofPlatform()
          .daemon()
          .name(net.name() + "-progress")
          .start(() -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(20)));
    }
    return comm;
  }
}
