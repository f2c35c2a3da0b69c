// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.v6.NetProperties;

/** Leaves maxComms at 0, as if that meant any number. */
@Breaks("NET-DEV-04")
public final class HasRoomForNoComms extends WrongNet {
  @Override
  public NetProperties getProperties(int device) {
    NetProperties p = net.getProperties(device);
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        p.speed(),
        p.port(),
        p.latency(),
        0,
        p.maxRecvs());
  }
}
