// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Has a thread before anybody wants to use it. */
@Breaks("SEL-01")
public final class StartsAThreadInItsConstructor extends WrongNet {
  /** Starts what only init should start. */
  public StartsAThreadInItsConstructor() {
    Thread.ofPlatform()
        .daemon()
        .name(net.name() + "-early")
        .start(() -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(10)));
  }
}
