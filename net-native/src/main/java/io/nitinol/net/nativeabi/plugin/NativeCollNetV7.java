// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.collnet.v7.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.v7.NetProperties;
import java.lang.foreign.MemorySegment;

/** A native collective network of {@code ncclCollNet_v7_t} as a Java one. */
public final class NativeCollNetV7 extends NativeCollNetFace implements CollNet {
  NativeCollNetV7(NativePlugin<CollNetFunction> plugin) {
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

  @Override
  public MemoryHandle regMrDmaBuf(CollComm comm, Memory memory, long offset, int fd) {
    return collNet.registrations().registerDmaBuf(collNet.own(comm), memory, offset, fd);
  }
}
