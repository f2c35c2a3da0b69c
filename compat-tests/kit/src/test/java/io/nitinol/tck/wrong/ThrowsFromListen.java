// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;

/** Throws what no call may throw, where a test does not expect a failure at all. */
public final class ThrowsFromListen extends WrongNet {
  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    throw new IllegalStateException("no listener today");
  }
}
