// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.v6.NetProperties;

/** Declares CUDA since its library knows it, GPU or not. */
@Breaks("NET-DEV-08")
public final class DeclaresCudaEverywhere extends WrongNet {
  @Override
  public NetProperties getProperties(int device) {
    NetProperties p = net.getProperties(device);
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport() | PointerType.CUDA.mask(),
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs());
  }
}
