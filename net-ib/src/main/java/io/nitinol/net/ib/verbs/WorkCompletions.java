// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.ibv_wc;
import io.nitinol.net.ib.ffi.verbs_h;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Objects;

/**
 * Room for completions ({@code struct ibv_wc}), read by index. It belongs to one thread, and lives
 * as long as the memory it was given.
 */
public final class WorkCompletions {
  /** Status of a completion that went well. */
  public static final int SUCCESS = verbs_h.IBV_WC_SUCCESS();

  /** Status of a request that was dropped because its queue pair had failed already. */
  public static final int FLUSHED = verbs_h.IBV_WC_WR_FLUSH_ERR();

  /** Status: the peer refused the address or key. */
  public static final int REMOTE_ACCESS_ERROR = verbs_h.IBV_WC_REM_ACCESS_ERR();

  /** Status: the peer did not answer. */
  public static final int RETRY_EXCEEDED = verbs_h.IBV_WC_RETRY_EXC_ERR();

  /** Status: the peer had no receive posted. */
  public static final int RNR_RETRY_EXCEEDED = verbs_h.IBV_WC_RNR_RETRY_EXC_ERR();

  /** Opcode of a WRITE, with immediate data or without. */
  public static final int RDMA_WRITE = verbs_h.IBV_WC_RDMA_WRITE();

  /** Opcode of a READ. */
  public static final int RDMA_READ = verbs_h.IBV_WC_RDMA_READ();

  /** Opcode of a SEND. */
  public static final int SEND = verbs_h.IBV_WC_SEND();

  /** Opcode of a receive; also the bit that tells receives from sends. */
  public static final int RECEIVE = verbs_h.IBV_WC_RECV();

  /** Opcode of a receive that a WRITE with immediate data took. */
  public static final int RECEIVE_RDMA_WITH_IMMEDIATE = verbs_h.IBV_WC_RECV_RDMA_WITH_IMM();

  private static final List<String> STATUS_NAMES =
      List.of(
          "SUCCESS",
          "LOC_LEN_ERR",
          "LOC_QP_OP_ERR",
          "LOC_EEC_OP_ERR",
          "LOC_PROT_ERR",
          "WR_FLUSH_ERR",
          "MW_BIND_ERR",
          "BAD_RESP_ERR",
          "LOC_ACCESS_ERR",
          "REM_INV_REQ_ERR",
          "REM_ACCESS_ERR",
          "REM_OP_ERR",
          "RETRY_EXC_ERR",
          "RNR_RETRY_EXC_ERR",
          "LOC_RDD_VIOL_ERR",
          "REM_INV_RD_REQ_ERR",
          "REM_ABORT_ERR",
          "INV_EECN_ERR",
          "INV_EEC_STATE_ERR",
          "FATAL_ERR",
          "RESP_TIMEOUT_ERR",
          "GENERAL_ERR",
          "TM_ERR",
          "TM_RNDV_INCOMPLETE");

  private static final long BYTES = ibv_wc.sizeof();
  private static final long WR_ID = ibv_wc.wr_id$offset();
  private static final long STATUS = ibv_wc.status$offset();
  private static final long OPCODE = ibv_wc.opcode$offset();
  private static final long VENDOR_ERR = ibv_wc.vendor_err$offset();
  private static final long BYTE_LEN = ibv_wc.byte_len$offset();
  private static final long IMM_DATA = ibv_wc.imm_data$offset();
  private static final long QP_NUM = ibv_wc.qp_num$offset();
  private static final long WC_FLAGS = ibv_wc.wc_flags$offset();
  private static final int WITH_IMM = verbs_h.IBV_WC_WITH_IMM();

  private final long completions;
  private final int capacity;

  /**
   * Makes room.
   *
   * @param memory where; 48 bytes each
   * @param capacity for how many completions
   */
  public WorkCompletions(SegmentAllocator memory, int capacity) {
    this.completions = ibv_wc.allocateArray(capacity, memory).address();
    this.capacity = capacity;
  }

  /** {@return for how many completions there is room} */
  public int capacity() {
    return capacity;
  }

  /** {@return the number that the request was given; valid for every status} */
  public long id(int index) {
    return (long) NativeWords.LONG.get(NativeWords.ALL, at(index) + WR_ID);
  }

  /** {@return how it went, {@link #SUCCESS} or an error; valid for every status} */
  public int status(int index) {
    return (int) NativeWords.INT.get(NativeWords.ALL, at(index) + STATUS);
  }

  /** {@return what completed, valid after success only} */
  public int opcode(int index) {
    return (int) NativeWords.INT.get(NativeWords.ALL, at(index) + OPCODE);
  }

  /** {@return the vendor's code of an error; valid for every status} */
  public int vendorError(int index) {
    return (int) NativeWords.INT.get(NativeWords.ALL, at(index) + VENDOR_ERR);
  }

  /** {@return how many bytes arrived, for receives and READs} */
  public int bytes(int index) {
    return (int) NativeWords.INT.get(NativeWords.ALL, at(index) + BYTE_LEN);
  }

  /** {@return whether there is immediate data} */
  public boolean hasImmediate(int index) {
    int flags = (int) NativeWords.INT.get(NativeWords.ALL, at(index) + WC_FLAGS);
    return (flags & WITH_IMM) != 0;
  }

  /** {@return the immediate data, as the peer's {@link SendRequests#immediate} gave it} */
  public int immediate(int index) {
    int immediate = (int) NativeWords.INT.get(NativeWords.ALL, at(index) + IMM_DATA);
    return Integer.reverseBytes(immediate);
  }

  /** {@return the local queue pair's number; valid for every status} */
  public int queuePair(int index) {
    return (int) NativeWords.INT.get(NativeWords.ALL, at(index) + QP_NUM);
  }

  long address() {
    return completions;
  }

  private long at(int index) {
    return completions + Objects.checkIndex(index, capacity) * BYTES;
  }

  static String statusName(int status) {
    return status >= 0 && status < STATUS_NAMES.size()
        ? STATUS_NAMES.get(status)
        : "status " + status;
  }
}
