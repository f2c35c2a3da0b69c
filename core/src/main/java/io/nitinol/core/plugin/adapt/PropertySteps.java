// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.PointerType;

/** Device properties from one version to the next. */
final class PropertySteps {
  private PropertySteps() {}

  /** Version 4 knows neither latency (0: not known) nor multi-receives (1: one buffer per call). */
  static io.nitinol.spi.net.v5.NetProperties v4ToV5(io.nitinol.spi.net.v4.NetProperties p) {
    return new io.nitinol.spi.net.v5.NetProperties(
        p.name(), p.pciPath(), p.guid(), p.ptrSupport(), p.speed(), p.port(), 0, p.maxComms(), 1);
  }

  /** Version 5 cannot register dma-bufs: a plugin that claims the bit does not mean ours. */
  static io.nitinol.spi.net.v6.NetProperties v5ToV6(io.nitinol.spi.net.v5.NetProperties p) {
    return new io.nitinol.spi.net.v6.NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport() & ~PointerType.DMABUF.mask(),
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs());
  }
}
