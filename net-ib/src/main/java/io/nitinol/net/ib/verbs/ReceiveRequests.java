// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.ibv_recv_wr;
import java.lang.foreign.SegmentAllocator;

/**
 * Work requests for a receive queue ({@code struct ibv_recv_wr}), each with one scatter/gather
 * entry of its own, written by index. All are empty at first, as a WRITE with immediate data needs
 * them. A request may be written again as soon as it is posted; nothing here allocates. Used by one
 * thread at a time, and lives as long as the memory it was given.
 */
public final class ReceiveRequests extends WorkRequests {
  static final long BYTES = ibv_recv_wr.sizeof();

  /**
   * Makes requests.
   *
   * @param memory where; 48 bytes each
   * @param count how many
   */
  public ReceiveRequests(SegmentAllocator memory, int count) {
    super(memory, ibv_recv_wr.allocateArray(count, memory), BYTES);
  }
}
