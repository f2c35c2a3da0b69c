// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.v12.NetProperties;

/** Declares registrations for all comms and has them for one each. */
@Breaks("NET-REG-14")
public final class ClaimsGlobalRegistrations extends WrongNewestNet {
  @Override
  public NetProperties getProperties(int device) {
    NetProperties p = super.getProperties(device);
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        true,
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
        p.maxCollBytes(),
        p.maxMultiRequestSize(),
        p.railId(),
        p.planeId());
  }
}
