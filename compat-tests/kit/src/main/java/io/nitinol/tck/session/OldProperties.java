// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;

/**
 * Converts properties of versions 4 and 5 to the newest, for the kit's own views of these versions.
 */
final class OldProperties {
  /** The length that NCCL assumes for versions that do not have this property. */
  private static final long P2P_BYTES = 1L << 30;

  private static final long COLL_BYTES = 512L << 20;

  private OldProperties() {}

  static NetProperties of(io.nitinol.spi.net.v4.NetProperties p, int device) {
    return of(
        new io.nitinol.spi.net.v5.NetProperties(
            p.name(),
            p.pciPath(),
            p.guid(),
            p.ptrSupport(),
            p.speed(),
            p.port(),
            0,
            p.maxComms(),
            1),
        device);
  }

  static NetProperties of(io.nitinol.spi.net.v5.NetProperties p, int device) {
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        false,
        false,
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs(),
        NetDeviceType.HOST,
        0,
        VirtualDevice.physical(Math.max(0, device)),
        P2P_BYTES,
        COLL_BYTES,
        1,
        NetProperties.ID_UNDEFINED,
        NetProperties.ID_UNDEFINED);
  }
}
