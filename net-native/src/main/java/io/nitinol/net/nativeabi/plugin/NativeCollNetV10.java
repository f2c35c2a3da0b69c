// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.collnet.v10.CollNet;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v10.NetProperties;
import java.lang.foreign.MemorySegment;

/** A native collective network of {@code ncclCollNet_v10_t} as a Java one. */
public final class NativeCollNetV10 extends NativeCollNetFaceV8 implements CollNet {
  NativeCollNetV10(NativePlugin<CollNetFunction> plugin) {
    super(plugin);
  }

  @Override
  public void init(DebugLogger logger) {
    collNet.init(logger);
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
        all.maxCollBytes());
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return collNet.listen(0, device, handle);
  }

  @Override
  public int makeVDevice(VirtualDevice devices) {
    return collNet.devices().makeVDevice(devices);
  }
}
