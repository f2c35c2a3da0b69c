// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;

/** A native collective network of {@code ncclCollNet_v12_t} as a Java one. */
public final class NativeCollNetV12 extends NativeCollNetFaceV8 implements CollNet {
  NativeCollNetV12(NativePlugin<CollNetFunction> plugin) {
    super(plugin);
  }

  @Override
  public NetContext init(long commId, DebugLogger logger) {
    return collNet.init(commId, logger);
  }

  @Override
  public NetProperties getProperties(int device) {
    return collNet.devices().properties(device);
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
