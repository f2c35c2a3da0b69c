// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.ibv_qp;
import io.nitinol.net.ib.ffi.ibv_qp_cap;
import io.nitinol.net.ib.ffi.ibv_qp_init_attr;
import io.nitinol.net.ib.ffi.verbs_h;
import io.nitinol.net.ib.ffi.verbs_optional;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A protection domain: memory regions and queue pairs of one domain work with each other. All of
 * them must be closed before it is. Its methods may be called from several threads.
 */
public final class ProtectionDomain implements AutoCloseable {
  private final VerbsContext context;
  private final MemorySegment domain;
  private boolean closed;

  ProtectionDomain(VerbsContext context, MemorySegment domain) {
    this.context = context;
    this.domain = domain;
  }

  /** {@return the device that it belongs to} */
  public VerbsContext context() {
    return context;
  }

  /**
   * Registers memory ({@code ibv_reg_mr}).
   *
   * @param address where it begins
   * @param bytes its length
   * @param access bits of {@link Access}
   * @return the region, to be closed before the memory is freed
   * @throws VerbsException where it cannot be pinned
   */
  public IbMemoryRegion register(long address, long bytes, int access) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment memory = MemorySegment.ofAddress(address);
      MemorySegment region = verbs_h.ibv_reg_mr(errno, live(), memory, bytes, access);
      return region("ibv_reg_mr", region, bytes, errno);
    }
  }

  /**
   * Registers memory with optional access bits, such as {@link Access#RELAXED_ORDERING}, which are
   * ignored if the device does not know them ({@code ibv_reg_mr_iova2}). To be called only where
   * {@link Verbs#hasRelaxedOrdering}.
   *
   * @param address where it begins
   * @param bytes its length
   * @param iova the address by which peers know it
   * @param access bits of {@link Access}
   * @return the region, to be closed before the memory is freed
   * @throws VerbsException where it cannot be pinned
   */
  public IbMemoryRegion registerIova2(long address, long bytes, long iova, int access) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment memory = MemorySegment.ofAddress(address);
      MemorySegment region =
          verbs_optional.ibv_reg_mr_iova2(errno, live(), memory, bytes, iova, access);
      return region("ibv_reg_mr_iova2", region, bytes, errno);
    }
  }

  /**
   * Registers memory of another device, given as a dma-buf ({@code ibv_reg_dmabuf_mr}). To be
   * called only where {@link Verbs#hasDmaBuf}.
   *
   * @param offset where the memory begins in the buffer
   * @param bytes its length
   * @param iova the address by which it is known in requests
   * @param descriptor the buffer's descriptor, which stays the caller's
   * @param access bits of {@link Access}
   * @return the region, to be closed
   * @throws VerbsException where the driver refuses
   */
  public IbMemoryRegion registerDmaBuf(
      long offset, long bytes, long iova, int descriptor, int access) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment region =
          verbs_optional.ibv_reg_dmabuf_mr(errno, live(), offset, bytes, iova, descriptor, access);
      return region("ibv_reg_dmabuf_mr", region, bytes, errno);
    }
  }

  /**
   * {@return whether driver and kernel can register a dma-buf; asked, as NCCL does, by a call with
   * a descriptor that is none}
   */
  public boolean dmaBufSupported() {
    if (!Verbs.hasDmaBuf()) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment region = verbs_optional.ibv_reg_dmabuf_mr(errno, live(), 0, 0, 0, -1, 0);
      if (region.address() != 0) {
        verbs_h.ibv_dereg_mr(errno, region);
        return true;
      }
      int error = ErrnoSegment.of(errno);
      return error != Errno.EOPNOTSUPP && error != Errno.EPROTONOSUPPORT;
    }
  }

  private IbMemoryRegion region(
      String call, MemorySegment region, long bytes, MemorySegment errno) {
    if (region.address() == 0) {
      throw VerbsFailure.of(call, " of " + bytes + " bytes on " + context, ErrnoSegment.of(errno));
    }
    return new IbMemoryRegion(context, region);
  }

  /**
   * Makes a reliable connected queue pair in state RESET.
   *
   * @param spec its queues and sizes
   * @return the queue pair, to be closed before its completion queues
   * @throws VerbsException where the device has no more, or not of this size
   */
  public QueuePair createQueuePair(QueuePairSpec spec) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment attributes = ibv_qp_init_attr.allocate(arena);
      ibv_qp_init_attr.send_cq(attributes, spec.sendQueue().segment());
      ibv_qp_init_attr.recv_cq(attributes, spec.receiveQueue().segment());
      ibv_qp_init_attr.qp_type(attributes, verbs_h.IBV_QPT_RC());
      ibv_qp_init_attr.sq_sig_all(attributes, 0);
      MemorySegment capacity = ibv_qp_init_attr.cap(attributes);
      ibv_qp_cap.max_send_wr(capacity, spec.sends());
      ibv_qp_cap.max_recv_wr(capacity, spec.receives());
      ibv_qp_cap.max_send_sge(capacity, spec.entriesPerSend());
      ibv_qp_cap.max_recv_sge(capacity, spec.entriesPerReceive());
      ibv_qp_cap.max_inline_data(capacity, spec.inlineBytes());
      MemorySegment pair = verbs_h.ibv_create_qp(errno, live(), attributes);
      if (pair.address() == 0) {
        throw VerbsFailure.of(
            "ibv_create_qp",
            ErrorText.of(
                " of %s sends, %s receives, %s inline bytes on %s",
                spec.sends(), spec.receives(), spec.inlineBytes(), context),
            ErrnoSegment.of(errno));
      }
      return new QueuePair(context, ibv_qp.reinterpret(pair), ibv_qp_cap.max_inline_data(capacity));
    }
  }

  private MemorySegment live() {
    if (closed) {
      throw new IllegalStateException("the protection domain on " + context + " is closed");
    }
    return domain;
  }

  /** Frees the domain. What was made from it must have been closed. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    context.free("ibv_dealloc_pd", errno -> verbs_h.ibv_dealloc_pd(errno, domain));
  }
}
