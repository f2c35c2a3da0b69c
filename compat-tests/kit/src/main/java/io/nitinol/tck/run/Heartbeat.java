// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Tells every few seconds that the run waits for a process, which has a bound of its own. */
final class Heartbeat implements AutoCloseable {
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(5);

  private final Thread thread;
  private volatile boolean over;

  Heartbeat(Runnable beat) {
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("tck-heartbeat")
            .start(() -> {
              LockSupport.parkNanos(PAUSE);
              while (!over) {
                beat.run();
                LockSupport.parkNanos(PAUSE);
              }
            });
  }

  @Override
  public void close() {
    over = true;
    LockSupport.unpark(thread);
  }
}
