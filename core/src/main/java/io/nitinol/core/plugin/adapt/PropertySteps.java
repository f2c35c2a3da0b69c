// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/** Device properties from one version to the next. */
final class PropertySteps {
  private PropertySteps() {}

  /** Checks what comes from a plugin, which may be anything. */
  private static void requireGiven(@Nullable Record properties) {
    if (properties == null) {
      throw new NetException(ResultCode.INTERNAL_ERROR, "the plugin returned null");
    }
  }

  /** Version 4 knows neither latency (0: not known) nor multi-receives (1: one buffer per call). */
  static io.nitinol.spi.net.v5.NetProperties v4ToV5(io.nitinol.spi.net.v4.NetProperties p) {
    requireGiven(p);
    return new io.nitinol.spi.net.v5.NetProperties(
        p.name(), p.pciPath(), p.guid(), p.ptrSupport(), p.speed(), p.port(), 0, p.maxComms(), 1);
  }

  /** Version 5 cannot register dma-bufs: a plugin that claims the bit does not mean ours. */
  static io.nitinol.spi.net.v6.NetProperties v5ToV6(io.nitinol.spi.net.v5.NetProperties p) {
    requireGiven(p);
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

  /** Version 6 knows no device offload. */
  static io.nitinol.spi.net.v7.NetProperties v6ToV7(io.nitinol.spi.net.v6.NetProperties p) {
    requireGiven(p);
    return new io.nitinol.spi.net.v7.NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs(),
        NetDeviceType.HOST,
        0);
  }

  /** Version 7 registers for one comm at a time. */
  static io.nitinol.spi.net.v8.NetProperties v7ToV8(io.nitinol.spi.net.v7.NetProperties p) {
    requireGiven(p);
    return new io.nitinol.spi.net.v8.NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        false,
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs(),
        p.netDeviceType(),
        p.netDeviceVersion());
  }

  /** Version 8 has single devices, and sizes for which NCCL assumes a bound. */
  static io.nitinol.spi.net.v9.NetProperties v8ToV9(
      io.nitinol.spi.net.v8.NetProperties p, int device) {
    requireGiven(p);
    if (device < 0) { // a plugin that describes it breaks NET-DEV-03, and the record would throw
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of("device %d: expected a number from 0 on; the plugin described it", device));
    }
    return new io.nitinol.spi.net.v9.NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        p.regIsGlobal(),
        false,
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs(),
        p.netDeviceType(),
        p.netDeviceVersion(),
        VirtualDevice.physical(device),
        Limits.MESSAGE_BYTES,
        Limits.COLLECTIVE_BYTES);
  }

  /** The two have the same properties. */
  static io.nitinol.spi.net.v10.NetProperties v9ToV10(io.nitinol.spi.net.v9.NetProperties p) {
    requireGiven(p);
    return new io.nitinol.spi.net.v10.NetProperties(
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
        p.maxCollBytes());
  }

  /** Version 10 joins no operations into one request. */
  static io.nitinol.spi.net.v11.NetProperties v10ToV11(io.nitinol.spi.net.v10.NetProperties p) {
    requireGiven(p);
    return new io.nitinol.spi.net.v11.NetProperties(
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
        p.maxCollBytes(),
        1);
  }

  /** Version 11 does not tell rail and plane. */
  static io.nitinol.spi.net.v12.NetProperties v11ToV12(io.nitinol.spi.net.v11.NetProperties p) {
    requireGiven(p);
    return new io.nitinol.spi.net.v12.NetProperties(
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
        p.maxCollBytes(),
        p.maxMultiRequestSize(),
        io.nitinol.spi.net.v12.NetProperties.ID_UNDEFINED,
        io.nitinol.spi.net.v12.NetProperties.ID_UNDEFINED);
  }
}
