// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Keeps a note about every message it has sent. */
@Breaks(value = "NET-MEM-04", also = "NET-MEM-03")
public final class KeepsEveryMessage extends WrongNet {
  private final Queue<byte[]> notes = new ConcurrentLinkedQueue<>();

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    Request request = super.isend(comm, mr, offset, length, tag);
    if (request != null) {
      notes.add(new byte[40]);
    }
    return request;
  }
}
