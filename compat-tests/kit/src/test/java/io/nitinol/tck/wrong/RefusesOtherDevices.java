// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Connects only from the device that the listener is on. */
@Breaks("NET-CONN-20")
public final class RefusesOtherDevices extends WrongNet {

  private static final long DEVICE = 120;

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    ListenComm listener = net.listen(device, handle);
    handle.set(ValueLayout.JAVA_INT_UNALIGNED, DEVICE, device);
    return listener;
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    if (device > 0
        && device < devices()
        && handle.byteSize() >= HANDLE_MAXSIZE
        && handle.get(ValueLayout.JAVA_INT_UNALIGNED, DEVICE) != device) {
      throw new NetException(ResultCode.INVALID_USAGE, "no way from device " + device);
    }
    return net.connect(device, handle);
  }
}
