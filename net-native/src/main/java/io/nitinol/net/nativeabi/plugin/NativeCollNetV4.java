// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.collnet.v4.CollNet;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.v4.NetProperties;
import java.lang.foreign.MemorySegment;

/** A native collective network of {@code ncclCollNet_v4_t} as a Java one. */
public final class NativeCollNetV4 extends NativeCollNetFace implements CollNet {
  NativeCollNetV4(NativePlugin<CollNetFunction> plugin) {
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
        all.speed(),
        all.port(),
        all.maxComms());
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    return collNet.listen(0, device, handle);
  }
}
