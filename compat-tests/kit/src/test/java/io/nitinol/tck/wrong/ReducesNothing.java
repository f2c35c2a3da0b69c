// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.v12.NetProperties;

/** Has room for collective operations of no bytes. */
@Breaks("NET-DEV-11")
public final class ReducesNothing extends WrongNewestNet {
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
        p.virtualDevice(),
        p.maxP2pBytes(),
        0,
        p.maxMultiRequestSize(),
        p.railId(),
        p.planeId());
  }
}
