// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.collnet.v11.CollNet;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v11.NetProperties;
import java.lang.foreign.MemorySegment;

/** A native collective network of {@code ncclCollNet_v11_t} as a Java one. */
public final class NativeCollNetV11 extends NativeCollNetFaceV8 implements CollNet {
  NativeCollNetV11(NativePlugin<CollNetFunction> plugin) {
    super(plugin);
  }

  @Override
  public NetContext init(long commId, DebugLogger logger) {
    return collNet.init(commId, logger);
  }

  @Override
  public NetProperties getProperties(int device) {
    var all = collNet.devices().properties(device);
    return new NetProperties(
        all.name(),
        all.pciPath(),
        all.guid(),
        all.ptrSupport(),
        all.regIsGlobal(),
        all.forceFlush(),
        all.speed(),
        all.port(),
        all.latency(),
        all.maxComms(),
        all.maxRecvs(),
        all.netDeviceType(),
        all.netDeviceVersion(),
        all.virtualDevice(),
        all.maxP2pBytes(),
        all.maxCollBytes(),
        all.maxMultiRequestSize());
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    return collNet.listen(collNet.own(context).address, device, handle);
  }

  @Override
  public int makeVDevice(VirtualDevice devices) {
    return collNet.devices().makeVDevice(devices);
  }

  @Override
  public void finalizeContext(NetContext context) {
    collNet.finalizeContext(context);
  }
}
