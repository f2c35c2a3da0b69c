// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.v6.NetProperties;
import java.util.concurrent.atomic.AtomicInteger;

/** Has a field in its properties that differs each time. */
@Breaks("NET-DEV-02")
public final class CountsEachLookAtADevice extends WrongNet {
  private final AtomicInteger looks = new AtomicInteger();

  @Override
  public NetProperties getProperties(int device) {
    NetProperties p = net.getProperties(device);
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        p.speed(),
        looks.incrementAndGet(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs());
  }
}
