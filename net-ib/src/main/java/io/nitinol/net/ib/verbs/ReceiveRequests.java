// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.net.ib.ffi.ibv_recv_wr;
import io.nitinol.net.ib.ffi.ibv_sge;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Work requests for a receive queue ({@code struct ibv_recv_wr}), each with one scatter/gather
 * entry of its own, written by index. All are empty at first, as a WRITE with immediate data needs
 * them. A request may be written again as soon as it is posted; nothing here allocates. Used by one
 * thread at a time, and lives as long as the memory it was given.
 */
public final class ReceiveRequests {
  static final long BYTES = ibv_recv_wr.sizeof();

  private static final long WR_ID = ibv_recv_wr.wr_id$offset();
  private static final long NEXT = ibv_recv_wr.next$offset();
  private static final long SG_LIST = ibv_recv_wr.sg_list$offset();
  private static final long NUM_SGE = ibv_recv_wr.num_sge$offset();

  private static final long ENTRY = ibv_sge.sizeof();
  private static final long ADDR = ibv_sge.addr$offset();
  private static final long LENGTH = ibv_sge.length$offset();
  private static final long LKEY = ibv_sge.lkey$offset();

  private final MemorySegment requests;
  private final MemorySegment entries;
  private final MemorySegment bad;
  private final int count;

  /**
   * Makes requests.
   *
   * @param memory where; 48 bytes each
   * @param count how many
   */
  public ReceiveRequests(SegmentAllocator memory, int count) {
    this.requests = ibv_recv_wr.allocateArray(count, memory).fill((byte) 0);
    this.entries = ibv_sge.allocateArray(count, memory).fill((byte) 0);
    this.bad = memory.allocate(ValueLayout.ADDRESS);
    this.count = count;
    for (int i = 0; i < count; i++) {
      requests.set(JAVA_LONG, i * BYTES + SG_LIST, entries.address() + i * ENTRY);
    }
  }

  /** {@return how many requests there are} */
  public int count() {
    return count;
  }

  /** Sets the number that the completion carries. */
  public void id(int index, long id) {
    requests.set(JAVA_LONG, index * BYTES + WR_ID, id);
  }

  /**
   * Chains another request to one, which are posted together.
   *
   * @param index the request
   * @param next the one after it, or -1 for none
   */
  public void next(int index, int next) {
    requests.set(JAVA_LONG, index * BYTES + NEXT, next < 0 ? 0 : address(next));
  }

  /**
   * Sets the memory that a SEND goes to.
   *
   * @param index the request
   * @param address where it begins
   * @param bytes its length, unsigned 32 bits; 0 for none at all
   * @param key the region's local key
   */
  public void local(int index, long address, int bytes, int key) {
    entries.set(JAVA_LONG, index * ENTRY + ADDR, address);
    entries.set(JAVA_INT, index * ENTRY + LENGTH, bytes);
    entries.set(JAVA_INT, index * ENTRY + LKEY, key);
    requests.set(JAVA_INT, index * BYTES + NUM_SGE, bytes == 0 ? 0 : 1);
  }

  long address(int index) {
    return requests.address() + Objects.checkIndex(index, count) * BYTES;
  }

  long badAddress() {
    return bad.address();
  }

  long bad() {
    return bad.get(JAVA_LONG, 0);
  }
}
