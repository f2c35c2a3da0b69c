// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.v6.NetProperties;

/** Makes up a path for a virtual device. */
@Breaks("NET-DEV-06")
public final class InventsAPciPath extends WrongNet {
  @Override
  public NetProperties getProperties(int device) {
    NetProperties p = net.getProperties(device);
    return new NetProperties(
        p.name(),
        "/sys/devices/pci0000:00/ffff:ff:1f.7",
        p.guid(),
        p.ptrSupport(),
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs());
  }
}
