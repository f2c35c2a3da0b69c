// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.RecvComm;
import org.jspecify.annotations.Nullable;

/** Offloads what nobody wants offloaded. */
@Breaks("NET-OPT-04")
public final class HandsOutDeviceHandles extends WrongNewestNet {
  @Override
  public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
    RecvComm comm = super.accept(listenComm, deviceHandle);
    deviceHandle[0] =
        comm == null ? null : new DeviceHandle(NetDeviceType.UNPACK, 7, 4096, 64, true);
    return comm;
  }
}
