// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Asks for another call, again and again, where the listener's process has ended. */
@Breaks("NET-CONN-14")
public final class RetriesForEver extends WrongNet {
  private static final long ATTEMPT = 112;

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    try {
      return net.connect(device, handle);
    } catch (NetException e) {
      if (OtherProcess.isNamedIn(e)) {
        handle.set(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT, 0);
        return null;
      }
      throw e;
    }
  }
}
