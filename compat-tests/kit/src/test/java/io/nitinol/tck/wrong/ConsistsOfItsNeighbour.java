// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;

/** Says of each device that it is the first one. */
@Breaks(value = "NET-DEV-10", also = "NET-VDEV-01")
public final class ConsistsOfItsNeighbour extends WrongNewestNet {
  @Override
  public NetProperties getProperties(int device) {
    NetProperties p = super.getProperties(device);
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        p.regIsGlobal(),
        p.forceFlush(),
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs(),
        p.netDeviceType(),
        p.netDeviceVersion(),
        VirtualDevice.physical(0),
        p.maxP2pBytes(),
        p.maxCollBytes(),
        p.maxMultiRequestSize(),
        p.railId(),
        p.planeId());
  }
}
