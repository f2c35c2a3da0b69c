// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.ibv_recv_wr;
import io.nitinol.net.ib.ffi.ibv_sge;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * The common part of requests for a send queue and for a receive queue: an array whose elements
 * begin with the same fields, each with one scatter/gather entry of its own.
 */
abstract sealed class WorkRequests permits SendRequests, ReceiveRequests {
  // Of struct ibv_recv_wr, which struct ibv_send_wr begins like; a test compares them.
  private static final long WR_ID = ibv_recv_wr.wr_id$offset();
  private static final long NEXT = ibv_recv_wr.next$offset();
  private static final long SG_LIST = ibv_recv_wr.sg_list$offset();
  private static final long NUM_SGE = ibv_recv_wr.num_sge$offset();

  private static final long ENTRY = ibv_sge.sizeof();
  private static final long ADDR = ibv_sge.addr$offset();
  private static final long LENGTH = ibv_sge.length$offset();
  private static final long LKEY = ibv_sge.lkey$offset();

  private final long requests;
  private final long entries;
  private final long bad;
  private final long bytes;
  private final int count;

  /**
   * Makes requests, of zeroes but for their entries.
   *
   * @param memory for their entries, and for the address of a refused one
   * @param requests the array
   * @param bytes the size of an element
   */
  WorkRequests(SegmentAllocator memory, MemorySegment requests, long bytes) {
    this.count = (int) (requests.byteSize() / bytes);
    this.bytes = bytes;
    this.requests = requests.fill((byte) 0).address();
    this.entries = ibv_sge.allocateArray(count, memory).fill((byte) 0).address();
    this.bad = memory.allocate(ValueLayout.ADDRESS).address();
    for (int i = 0; i < count; i++) {
      put(i, SG_LIST, entry(i));
    }
  }

  /** {@return how many requests there are} */
  public final int count() {
    return count;
  }

  /** Sets the number that the completion carries. */
  public final void id(int index, long id) {
    put(index, WR_ID, id);
  }

  /**
   * Chains another request to one, which are posted together.
   *
   * @param index the request
   * @param next the one after it, or -1 for none
   */
  public final void next(int index, int next) {
    put(index, NEXT, next < 0 ? 0 : address(next));
  }

  /**
   * Sets the memory on this side.
   *
   * @param index the request
   * @param address where the data is, or goes to for a READ or a receive
   * @param bytes how much, unsigned 32 bits; 0 for no data at all
   * @param key the region's local key; for inline data any
   */
  public final void local(int index, long address, int bytes, int key) {
    long entry = entry(index);
    NativeWords.LONG.set(NativeWords.ALL, entry + ADDR, address);
    NativeWords.INT.set(NativeWords.ALL, entry + LENGTH, bytes);
    NativeWords.INT.set(NativeWords.ALL, entry + LKEY, key);
    // An entry of length 0 means 2 GiB to some devices.
    put(index, NUM_SGE, bytes == 0 ? 0 : 1);
  }

  final long address(int index) {
    return requests + Objects.checkIndex(index, count) * bytes;
  }

  private long entry(int index) {
    return entries + Objects.checkIndex(index, count) * ENTRY;
  }

  /** Writes a field. */
  final void put(int index, long offset, int value) {
    NativeWords.INT.set(NativeWords.ALL, address(index) + offset, value);
  }

  /** Writes a field. */
  final void put(int index, long offset, long value) {
    NativeWords.LONG.set(NativeWords.ALL, address(index) + offset, value);
  }

  final long badAddress() {
    return bad;
  }

  final long bad() {
    return (long) NativeWords.LONG.get(NativeWords.ALL, bad);
  }
}
