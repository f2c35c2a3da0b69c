// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.collnet.v8.CollNet;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.v8.NetProperties;
import java.lang.foreign.MemorySegment;

/** A native collective network of {@code ncclCollNet_v8_t} as a Java one. */
public final class NativeCollNetV8 extends NativeCollNetFaceV8 implements CollNet {
  NativeCollNetV8(NativePlugin<CollNetFunction> plugin) {
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
        all.speed(),
        all.port(),
        all.latency(),
        all.maxComms(),
        all.maxRecvs(),
        all.netDeviceType(),
        all.netDeviceVersion());
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return collNet.listen(0, device, handle);
  }
}
