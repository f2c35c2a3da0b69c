// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Makes a new object for each message. */
@Breaks("NET-MEM-03")
public final class AllocatesPerSend extends WrongNet {
  private volatile byte[] last = new byte[0];

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    last = new byte[48];
    return net.isend(comm, mr, offset, length, tag);
  }

  /** Returns the object of the last message, so that it is not optimised away. */
  byte[] last() {
    return last;
  }
}
