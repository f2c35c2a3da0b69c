// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.v6.NetProperties;

/** Divides by a bandwidth of 0 and shows the result. */
@Breaks("NET-DEV-04")
public final class HasNoNumberForLatency extends WrongNet {
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
        Float.NaN,
        p.maxComms(),
        p.maxRecvs());
  }
}
