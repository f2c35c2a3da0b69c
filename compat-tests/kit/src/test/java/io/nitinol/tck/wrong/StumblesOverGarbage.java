// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Believes every handle, and trips over the first that it cannot read. */
@Breaks("NET-CONN-15")
public final class StumblesOverGarbage extends WrongNet {

  private static final int LETTERS = 26;

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    if (handle.byteSize() >= HANDLE_MAXSIZE
        && device == 0
        && handle.get(ValueLayout.JAVA_BYTE, 0) != 'N') {
      throw new IndexOutOfBoundsException("byte 0 is none of " + LETTERS + " letters");
    }
    return net.connect(device, handle);
  }
}
