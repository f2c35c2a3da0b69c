// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Has a thread that nobody can tell from the application's. */
@Breaks("NET-THREAD-07")
public final class HasAnAnonymousThread extends WrongNet {
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  @Override
  public void init(DebugLogger logger) {
    net.init(logger);
    if (STARTED.compareAndSet(false, true)) {
      Thread.ofPlatform()
          .daemon()
          .name("worker")
          .start(() -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(30)));
    }
  }
}
