// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.v6.NetProperties;
import java.util.concurrent.atomic.AtomicInteger;

/** Reports what it measures as a property, which changes after a while. */
@Breaks(value = "NET-DEV-02", also = "NET-THREAD-01")
public final class SlowsDown extends WrongNet {
  private final AtomicInteger looks = new AtomicInteger();

  @Override
  public NetProperties getProperties(int device) {
    NetProperties right = super.getProperties(device);
    return new NetProperties(
        right.name(),
        right.pciPath(),
        right.guid(),
        right.ptrSupport(),
        right.speed(),
        right.port(),
        looks.incrementAndGet() > 100 ? right.latency() + 1 : right.latency(),
        right.maxComms(),
        right.maxRecvs());
  }
}
