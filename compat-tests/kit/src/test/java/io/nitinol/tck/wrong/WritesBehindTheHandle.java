// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Takes eight bytes more than a handle has. */
@Breaks("NET-CONN-03")
public final class WritesBehindTheHandle extends WrongNet {

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    ListenComm listener = net.listen(device, handle);
    MemorySegment more = handle.reinterpret(HANDLE_MAXSIZE + Long.BYTES);
    more.set(ValueLayout.JAVA_LONG_UNALIGNED, HANDLE_MAXSIZE, handle.address());
    return listener;
  }
}
