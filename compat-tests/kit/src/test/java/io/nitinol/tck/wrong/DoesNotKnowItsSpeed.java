// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.v6.NetProperties;

/** Says 0 where the device does not tell its speed. */
@Breaks("NET-DEV-04")
public final class DoesNotKnowItsSpeed extends WrongNet {
  @Override
  public NetProperties getProperties(int device) {
    NetProperties p = net.getProperties(device);
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        0,
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs());
  }
}
