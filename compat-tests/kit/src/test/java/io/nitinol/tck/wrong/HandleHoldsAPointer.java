// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Writes the address of its own copy of the handle where the other process looks for it. */
@Breaks("NET-CONN-04")
public final class HandleHoldsAPointer extends WrongNet {

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    ListenComm listener = net.listen(device, handle);
    MemorySegment own = Arena.global().allocate(Long.BYTES);
    own.set(ValueLayout.JAVA_LONG, 0, handle.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    handle.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, own.address());
    return listener;
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    long pointer =
        handle.byteSize() < HANDLE_MAXSIZE ? 0 : handle.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    if (pointer != 0 && pointer >> 47 == 0) {
      MemorySegment own = MemorySegment.ofAddress(pointer).reinterpret(Long.BYTES);
      handle.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, own.get(ValueLayout.JAVA_LONG, 0));
    }
    return net.connect(device, handle);
  }
}
