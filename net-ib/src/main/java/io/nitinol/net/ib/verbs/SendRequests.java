// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.ibv_send_wr;
import io.nitinol.net.ib.ffi.verbs_h;
import java.lang.foreign.SegmentAllocator;

/**
 * Work requests for a send queue ({@code struct ibv_send_wr}), each with one scatter/gather entry
 * of its own, written by index. All are zero at first: a WRITE of nothing, unsignalled, without
 * successor. A request may be written again as soon as it is posted; nothing here allocates. Used
 * by one thread at a time, and lives as long as the memory it was given.
 */
public final class SendRequests extends WorkRequests {
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

  private static final long OPCODE = ibv_send_wr.opcode$offset();
  private static final long SEND_FLAGS = ibv_send_wr.send_flags$offset();
  private static final long IMM_DATA = ibv_send_wr.imm_data$offset();
  private static final long REMOTE_ADDR =
      ibv_send_wr.wr$offset()
          + ibv_send_wr.wr.rdma$offset()
          + ibv_send_wr.wr.rdma.remote_addr$offset();
  private static final long RKEY =
      ibv_send_wr.wr$offset() + ibv_send_wr.wr.rdma$offset() + ibv_send_wr.wr.rdma.rkey$offset();

  /**
   * Makes requests.
   *
   * @param memory where; 144 bytes each
   * @param count how many
   */
  public SendRequests(SegmentAllocator memory, int count) {
    super(memory, ibv_send_wr.allocateArray(count, memory), BYTES);
  }

  /** Sets what it does, one of this class' opcodes. */
  public void opcode(int index, int opcode) {
    put(index, OPCODE, opcode);
  }

  /** Sets how it does it, bits of this class' flags. */
  public void flags(int index, int flags) {
    put(index, SEND_FLAGS, flags);
  }

  /** Sets the immediate data; it is sent in network order. */
  public void immediate(int index, int immediate) {
    put(index, IMM_DATA, Integer.reverseBytes(immediate));
  }

  /**
   * Sets the memory on the peer's side.
   *
   * @param index the request
   * @param address where the data goes, or is for a READ
   * @param key the region's remote key
   */
  public void remote(int index, long address, int key) {
    put(index, REMOTE_ADDR, address);
    put(index, RKEY, key);
  }
}
