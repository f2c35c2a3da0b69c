// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.net.ib.ffi.ibv_send_wr;
import io.nitinol.net.ib.ffi.ibv_sge;
import io.nitinol.net.ib.ffi.verbs_h;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Work requests for a send queue ({@code struct ibv_send_wr}), each with one scatter/gather entry
 * of its own, written by index. All are zero at first: a WRITE of nothing, unsignalled, without
 * successor. A request may be written again as soon as it is posted; nothing here allocates. Used
 * by one thread at a time, and lives as long as the memory it was given.
 */
public final class SendRequests {
  /** Opcode: WRITE. */
  public static final int RDMA_WRITE = verbs_h.IBV_WR_RDMA_WRITE();

  /** Opcode: WRITE that takes a receive of the peer's and gives it immediate data. */
  public static final int RDMA_WRITE_WITH_IMMEDIATE = verbs_h.IBV_WR_RDMA_WRITE_WITH_IMM();

  /** Opcode: READ. */
  public static final int RDMA_READ = verbs_h.IBV_WR_RDMA_READ();

  /** Opcode: SEND. */
  public static final int SEND = verbs_h.IBV_WR_SEND();

  /** Opcode: SEND with immediate data. */
  public static final int SEND_WITH_IMMEDIATE = verbs_h.IBV_WR_SEND_WITH_IMM();

  /** Flag: makes a completion. */
  public static final int SIGNALED = verbs_h.IBV_SEND_SIGNALED();

  /** Flag: waits for READs before it. */
  public static final int FENCE = verbs_h.IBV_SEND_FENCE();

  /** Flag: makes an announcement at the peer, where that asked for such only. */
  public static final int SOLICITED = verbs_h.IBV_SEND_SOLICITED();

  /** Flag: the data is copied while posting; no key is needed, the memory is free at once. */
  public static final int INLINE = verbs_h.IBV_SEND_INLINE();

  static final long BYTES = ibv_send_wr.sizeof();

  private static final long WR_ID = ibv_send_wr.wr_id$offset();
  private static final long NEXT = ibv_send_wr.next$offset();
  private static final long SG_LIST = ibv_send_wr.sg_list$offset();
  private static final long NUM_SGE = ibv_send_wr.num_sge$offset();
  private static final long OPCODE = ibv_send_wr.opcode$offset();
  private static final long SEND_FLAGS = ibv_send_wr.send_flags$offset();
  private static final long IMM_DATA = ibv_send_wr.imm_data$offset();
  private static final long REMOTE_ADDR =
      ibv_send_wr.wr$offset()
          + ibv_send_wr.wr.rdma$offset()
          + ibv_send_wr.wr.rdma.remote_addr$offset();
  private static final long RKEY =
      ibv_send_wr.wr$offset() + ibv_send_wr.wr.rdma$offset() + ibv_send_wr.wr.rdma.rkey$offset();

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
   * @param memory where; 144 bytes each
   * @param count how many
   */
  public SendRequests(SegmentAllocator memory, int count) {
    this.requests = ibv_send_wr.allocateArray(count, memory).fill((byte) 0);
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

  /** Sets what it does, one of this class' opcodes. */
  public void opcode(int index, int opcode) {
    requests.set(JAVA_INT, index * BYTES + OPCODE, opcode);
  }

  /** Sets how it does it, bits of this class' flags. */
  public void flags(int index, int flags) {
    requests.set(JAVA_INT, index * BYTES + SEND_FLAGS, flags);
  }

  /** Sets the immediate data; it is sent in network order. */
  public void immediate(int index, int immediate) {
    requests.set(JAVA_INT, index * BYTES + IMM_DATA, Integer.reverseBytes(immediate));
  }

  /**
   * Sets the memory on this side.
   *
   * @param index the request
   * @param address where the data is, or goes to for a READ
   * @param bytes how much, unsigned 32 bits; 0 for no data at all
   * @param key the region's local key; for inline data any
   */
  public void local(int index, long address, int bytes, int key) {
    entries.set(JAVA_LONG, index * ENTRY + ADDR, address);
    entries.set(JAVA_INT, index * ENTRY + LENGTH, bytes);
    entries.set(JAVA_INT, index * ENTRY + LKEY, key);
    // An entry of length 0 means 2 GiB to some devices.
    requests.set(JAVA_INT, index * BYTES + NUM_SGE, bytes == 0 ? 0 : 1);
  }

  /**
   * Sets the memory on the peer's side.
   *
   * @param index the request
   * @param address where the data goes, or is for a READ
   * @param key the region's remote key
   */
  public void remote(int index, long address, int key) {
    requests.set(JAVA_LONG, index * BYTES + REMOTE_ADDR, address);
    requests.set(JAVA_INT, index * BYTES + RKEY, key);
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
