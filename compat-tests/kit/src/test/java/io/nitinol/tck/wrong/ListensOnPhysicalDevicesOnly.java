// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetContext;
import java.lang.foreign.MemorySegment;

/** Has virtual devices for show. */
@Breaks("COLL-28")
public final class ListensOnPhysicalDevicesOnly extends WrongNewestCollNet {
  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    if (device > 1 && device < devices()) {
      throw new NetException(ResultCode.SYSTEM_ERROR, "no port of device " + device);
    }
    return super.listen(context, device, handle);
  }
}
