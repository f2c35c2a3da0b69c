// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.DataPath;
import io.nitinol.net.ib.ffi.ibv_ece;
import io.nitinol.net.ib.ffi.ibv_qp;
import io.nitinol.net.ib.ffi.ibv_qp_attr;
import io.nitinol.net.ib.ffi.ibv_qp_init_attr;
import io.nitinol.net.ib.ffi.verbs_h;
import io.nitinol.net.ib.ffi.verbs_optional;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A reliable connected queue pair. It goes from RESET over INIT and RTR to RTS, then carries data,
 * and to ERR when a request fails. One thread at a time may post sends, one receives.
 */
public final class QueuePair implements AutoCloseable {

  /** Its states, in the order of {@code enum ibv_qp_state}. */
  public enum State {
    /** New. */
    RESET,
    /** Receives may be posted. */
    INIT,
    /** Ready to receive. */
    RTR,
    /** Ready to send. */
    RTS,
    /** The send queue drains. */
    SQD,
    /** The send queue failed. */
    SQE,
    /** Failed; all requests complete as flushed. */
    ERR,
    /** The driver cannot tell. */
    UNKNOWN
  }

  private static final State[] STATES = State.values();

  private final VerbsContext context;
  private final MemorySegment pair;
  private final long address;
  private final int number;
  private final int inlineBytes;
  private final MemorySegment postSend;
  private final MemorySegment postRecv;
  private boolean closed;

  QueuePair(VerbsContext context, MemorySegment pair, int inlineBytes) {
    this.context = context;
    this.pair = pair;
    this.address = pair.address();
    this.number = ibv_qp.qp_num(pair);
    this.inlineBytes = inlineBytes;
    this.postSend = context.postSend();
    this.postRecv = context.postRecv();
  }

  /** {@return the device that it belongs to} */
  public VerbsContext context() {
    return context;
  }

  /** {@return its number, which the peer and completions name it by; 24 bits} */
  public int number() {
    return number;
  }

  /** {@return how many bytes can be sent inline, at least as many as were asked for} */
  public int inlineBytes() {
    return inlineBytes;
  }

  /**
   * Goes from RESET to INIT.
   *
   * @param port the local port, from 1
   * @param pkeyIndex index of the partition key
   * @param access bits of {@link Access} that peers get
   * @throws VerbsException where the device refuses
   */
  public void toInit(int port, int pkeyIndex, int access) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = ibv_qp_attr.allocate(arena);
      ibv_qp_attr.qp_state(attributes, verbs_h.IBV_QPS_INIT());
      ibv_qp_attr.pkey_index(attributes, (short) pkeyIndex);
      ibv_qp_attr.port_num(attributes, (byte) port);
      ibv_qp_attr.qp_access_flags(attributes, access);
      modify(
          arena,
          attributes,
          verbs_h.IBV_QP_STATE()
              | verbs_h.IBV_QP_PKEY_INDEX()
              | verbs_h.IBV_QP_PORT()
              | verbs_h.IBV_QP_ACCESS_FLAGS(),
          "INIT on port " + port);
    }
  }

  /**
   * Goes from INIT to RTR: connects to the peer's queue pair.
   *
   * @param route how to get there
   * @param peer number of the peer's queue pair
   * @param mtu path MTU as {@code ibv_mtu}, the smaller of the two ports'
   * @param firstPacket packet number that the peer starts with, 0 in NCCL
   * @param maxReads most READs of the peer in flight, 1 in NCCL
   * @param minRnrTimer how long the peer waits when no receive is posted, 12 (0.64 ms) in NCCL
   * @throws VerbsException where the device refuses or the peer's address does not resolve
   */
  public void toRtr(
      AddressVector route, int peer, int mtu, int firstPacket, int maxReads, int minRnrTimer) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = ibv_qp_attr.allocate(arena);
      ibv_qp_attr.qp_state(attributes, verbs_h.IBV_QPS_RTR());
      ibv_qp_attr.path_mtu(attributes, mtu);
      ibv_qp_attr.dest_qp_num(attributes, peer);
      ibv_qp_attr.rq_psn(attributes, firstPacket);
      ibv_qp_attr.max_dest_rd_atomic(attributes, (byte) maxReads);
      ibv_qp_attr.min_rnr_timer(attributes, (byte) minRnrTimer);
      route.write(ibv_qp_attr.ah_attr(attributes));
      modify(
          arena,
          attributes,
          verbs_h.IBV_QP_STATE()
              | verbs_h.IBV_QP_AV()
              | verbs_h.IBV_QP_PATH_MTU()
              | verbs_h.IBV_QP_DEST_QPN()
              | verbs_h.IBV_QP_RQ_PSN()
              | verbs_h.IBV_QP_MAX_DEST_RD_ATOMIC()
              | verbs_h.IBV_QP_MIN_RNR_TIMER(),
          "RTR to queue pair " + peer + " by " + route);
    }
  }

  /**
   * Goes from RTR to RTS.
   *
   * @param firstPacket packet number to start with, 0 in NCCL
   * @param timeout time for an answer as 4.096 us times 2 to this power, 0 to 31
   * @param retries how often a packet is sent again without an answer, 0 to 7
   * @param rnrRetries how often it is when the peer had no receive posted; 7 is for ever
   * @param maxReads most READs in flight, 1 in NCCL
   * @throws VerbsException where the device refuses
   */
  public void toRts(int firstPacket, int timeout, int retries, int rnrRetries, int maxReads) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = ibv_qp_attr.allocate(arena);
      ibv_qp_attr.qp_state(attributes, verbs_h.IBV_QPS_RTS());
      ibv_qp_attr.sq_psn(attributes, firstPacket);
      ibv_qp_attr.timeout(attributes, (byte) timeout);
      ibv_qp_attr.retry_cnt(attributes, (byte) retries);
      ibv_qp_attr.rnr_retry(attributes, (byte) rnrRetries);
      ibv_qp_attr.max_rd_atomic(attributes, (byte) maxReads);
      modify(
          arena,
          attributes,
          verbs_h.IBV_QP_STATE()
              | verbs_h.IBV_QP_SQ_PSN()
              | verbs_h.IBV_QP_TIMEOUT()
              | verbs_h.IBV_QP_RETRY_CNT()
              | verbs_h.IBV_QP_RNR_RETRY()
              | verbs_h.IBV_QP_MAX_QP_RD_ATOMIC(),
          "RTS with timeout " + timeout + " and " + retries + " retries");
    }
  }

  /**
   * Goes to ERR from any state: nothing is sent or received any more, and all requests that are
   * left complete as flushed.
   *
   * @throws VerbsException where the device refuses
   */
  public void toError() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = ibv_qp_attr.allocate(arena);
      ibv_qp_attr.qp_state(attributes, verbs_h.IBV_QPS_ERR());
      modify(arena, attributes, verbs_h.IBV_QP_STATE(), "ERR");
    }
  }

  private void modify(Arena arena, MemorySegment attributes, int mask, String target) {
    MemorySegment errno = ErrnoSegment.in(arena);
    int code = verbs_h.ibv_modify_qp(errno, live(), attributes, mask);
    if (code != 0) {
      throw VerbsFailure.of(
          "ibv_modify_qp", " to " + target + " on " + context, ErrnoSegment.of(code, errno));
    }
  }

  /**
   * {@return its state as the device sees it}
   *
   * @throws VerbsException where the device does not answer
   */
  public State state() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment attributes = ibv_qp_attr.allocate(arena);
      MemorySegment initial = ibv_qp_init_attr.allocate(arena);
      int code = verbs_h.ibv_query_qp(errno, live(), attributes, verbs_h.IBV_QP_STATE(), initial);
      VerbsContext.check("ibv_query_qp", " on " + context, code, errno);
      int state = ibv_qp_attr.qp_state(attributes);
      return state >= 0 && state < STATES.length ? STATES[state] : State.UNKNOWN;
    }
  }

  /**
   * {@return what this side can do when connecting, or null where the library or device has none}
   */
  public @Nullable Ece queryEce() {
    if (!Verbs.hasEce()) {
      return null;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ece = ibv_ece.allocate(arena);
      int code = verbs_optional.ibv_query_ece(ErrnoSegment.in(arena), live(), ece);
      return code != 0
          ? null
          : new Ece(ibv_ece.vendor_id(ece), ibv_ece.options(ece), ibv_ece.comp_mask(ece));
    }
  }

  /**
   * Takes over what the peer can do; in state INIT, before RTR.
   *
   * @param peer what it sent
   * @return whether the device took it
   */
  public boolean setEce(Ece peer) {
    if (!Verbs.hasEce()) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ece = ibv_ece.allocate(arena);
      ibv_ece.vendor_id(ece, peer.vendorId());
      ibv_ece.options(ece, peer.options());
      ibv_ece.comp_mask(ece, peer.mask());
      return verbs_optional.ibv_set_ece(ErrnoSegment.in(arena), live(), ece) == 0;
    }
  }

  /**
   * Posts a chain of sends. Allocates nothing unless it fails.
   *
   * @param requests the requests, which may be written again when this returns
   * @param first index of the first one; the chain follows {@link SendRequests#next}
   * @throws VerbsException where one is refused; those before it are posted
   */
  public void post(SendRequests requests, int first) {
    long at = requests.address(first);
    int code = DataPath.post(postSend, liveAddress(), at, requests.badAddress());
    if (code != 0) {
      throw refused("ibv_post_send", at, requests.bad(), SendRequests.BYTES, code);
    }
  }

  /**
   * Posts a chain of receives. Allocates nothing unless it fails.
   *
   * @param requests the requests, which may be written again when this returns
   * @param first index of the first one; the chain follows {@link ReceiveRequests#next}
   * @throws VerbsException where one is refused; those before it are posted
   */
  public void post(ReceiveRequests requests, int first) {
    long at = requests.address(first);
    int code = DataPath.post(postRecv, liveAddress(), at, requests.badAddress());
    if (code != 0) {
      throw refused("ibv_post_recv", at, requests.bad(), ReceiveRequests.BYTES, code);
    }
  }

  private MemorySegment live() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
    return pair;
  }

  private long liveAddress() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
    return address;
  }

  private VerbsException refused(String call, long first, long bad, long bytes, int code) {
    String where = bad == 0 ? "" : " at request " + (bad - first) / bytes + " after the first";
    return VerbsFailure.of(
        call, where + " on " + context + " queue pair " + number, Math.abs(code));
  }

  /**
   * Destroys the queue pair; its requests never complete.
   *
   * @throws VerbsException where the driver refuses
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    context.free("ibv_destroy_qp", errno -> verbs_h.ibv_destroy_qp(errno, pair));
  }

  @Override
  public String toString() {
    return context + " queue pair " + number;
  }
}
