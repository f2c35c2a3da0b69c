// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Has virtual devices for show. */
@Breaks("NET-VDEV-03")
public final class VirtualDevicesDoNotConnect extends WrongNewestNet {
  @Override
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    if (device > 1 && device < devices()) {
      throw new NetException(ResultCode.SYSTEM_ERROR, "no port of device " + device);
    }
    return super.connect(context, device, handle, deviceHandle);
  }
}
