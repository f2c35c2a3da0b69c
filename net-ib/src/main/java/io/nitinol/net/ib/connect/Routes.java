// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.device.IbPort;
import io.nitinol.net.ib.device.LinkLayer;
import io.nitinol.net.ib.verbs.AddressVector;

/** How packets get from a port of this side to one of the peer's; mirrors {@code ncclIbRtrQp}. */
final class Routes {
  private static final int HOPS = 255;

  private Routes() {}

  /**
   * Returns the route.
   *
   * @param serviceLevel the InfiniBand service level
   * @param trafficClass the traffic class
   */
  static AddressVector to(IbPort from, PortInfo to, int serviceLevel, int trafficClass) {
    AddressVector.Global global =
        new AddressVector.Global(to.gid(), from.gidIndex(), 0, HOPS, trafficClass);
    if (from.linkLayer() == LinkLayer.ETHERNET) {
      return new AddressVector(from.number(), 0, serviceLevel, global);
    }
    if (from.gid().subnetPrefix() == to.gid().subnetPrefix()) {
      return new AddressVector(from.number(), to.lid(), serviceLevel, null);
    }
    // Between subnets a router forwards by the FLID, where there is one.
    int flid = to.gid().flid();
    return new AddressVector(from.number(), flid == 0 ? to.lid() : flid, serviceLevel, global);
  }
}
