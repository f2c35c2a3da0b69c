// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.v6.NetProperties;

/** Declares a kind of memory that a newer NCCL may know. */
@Breaks("NET-DEV-05")
public final class SetsAnUnknownPointerBit extends WrongNet {
  @Override
  public NetProperties getProperties(int device) {
    NetProperties p = net.getProperties(device);
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport() | 0x8,
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs());
  }
}
