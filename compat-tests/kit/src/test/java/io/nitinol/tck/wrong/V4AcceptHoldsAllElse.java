// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Has one lock for accept and test, and waits in the former. */
@Breaks("NET-V4-04")
public final class V4AcceptHoldsAllElse extends WrongNetV4 {
  private final ReentrantLock lock = new ReentrantLock();

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    lock.lock();
    try {
      return net.accept(listenComm);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    lock.lock();
    try {
      return net.test(request, sizes);
    } finally {
      lock.unlock();
    }
  }
}
