// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sends a byte less in the message with which its counter wraps around. */
@Breaks(
    value = "NET-SEND-08",
    also = "NET-THREAD-04") // which sends as many where the machine is fast
public final class CountsMessagesIn16Bits extends WrongNet {
  private final Map<SendComm, int[]> counts = new ConcurrentHashMap<>();

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    int[] count = comm == null ? null : counts.get(comm);
    if (comm != null && count == null) {
      count = new int[1];
      counts.put(comm, count);
    }
    boolean wraps = count != null && (count[0] & 0xffff) == 0xffff && length > 0;
    Request request = super.isend(comm, mr, offset, wraps ? length - 1 : length, tag);
    if (count != null && request != null) {
      count[0]++;
    }
    return request;
  }

  @Override
  public void closeSend(SendComm comm) {
    super.closeSend(comm);
    if (comm != null) {
      counts.remove(comm);
    }
  }
}
