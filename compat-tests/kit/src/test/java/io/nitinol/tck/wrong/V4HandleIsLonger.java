// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Takes the handle of version 5 in version 4. */
@Breaks(value = "NET-V4-01", also = "NET-CONN-03")
public final class V4HandleIsLonger extends WrongNetV4 {

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    ListenComm listener = net.listen(device, handle);
    MemorySegment more = handle.reinterpret(HANDLE_MAXSIZE + Long.BYTES);
    more.set(ValueLayout.JAVA_LONG_UNALIGNED, HANDLE_MAXSIZE, handle.address());
    return listener;
  }
}
