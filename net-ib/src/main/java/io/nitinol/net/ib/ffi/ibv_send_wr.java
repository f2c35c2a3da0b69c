// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;
import java.lang.foreign.ValueLayout.OfShort;

/** {@code struct ibv_send_wr}. */
public class ibv_send_wr {

  ibv_send_wr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_LONG.withName("wr_id"),
          verbs_h.C_POINTER.withName("next"),
          verbs_h.C_POINTER.withName("sg_list"),
          verbs_h.C_INT.withName("num_sge"),
          verbs_h.C_INT.withName("opcode"),
          verbs_h.C_INT.withName("send_flags"),
          MemoryLayout.unionLayout(
              verbs_h.C_INT.withName("imm_data"),
              verbs_h.C_INT.withName("invalidate_rkey"))
              .withName("$anon$1133:2"),
          wr.layout().withName("wr"),
          qp_type.layout().withName("qp_type"),
          MemoryLayout.paddingLayout(4),
          MemoryLayout.unionLayout(
              bind_mw.layout().withName("bind_mw"),
              tso.layout().withName("tso"))
              .withName("$anon$1159:2"))
          .withName("ibv_send_wr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  /** {@code union wr}. */
  public static class wr {

    wr() {
      // Should not be called directly
    }

    private static final GroupLayout $LAYOUT =
        MemoryLayout.unionLayout(
            rdma.layout().withName("rdma"),
            atomic.layout().withName("atomic"),
            ud.layout().withName("ud"))
            .withName("wr");

    public static final GroupLayout layout() {
      return $LAYOUT;
    }

    /** {@code struct rdma}. */
    public static class rdma {

      rdma() {
        // Should not be called directly
      }

      private static final GroupLayout $LAYOUT =
          MemoryLayout.structLayout(
              verbs_h.C_LONG.withName("remote_addr"),
              verbs_h.C_INT.withName("rkey"),
              MemoryLayout.paddingLayout(4))
              .withName("rdma");

      public static final GroupLayout layout() {
        return $LAYOUT;
      }

      private static final OfLong remote_addr$LAYOUT = (OfLong) $LAYOUT.select(groupElement("remote_addr"));
      private static final long remote_addr$OFFSET = $LAYOUT.byteOffset(groupElement("remote_addr"));
      public static final OfLong remote_addr$layout() { return remote_addr$LAYOUT; }
      public static final long remote_addr$offset() { return remote_addr$OFFSET; }
      public static long remote_addr(MemorySegment struct) { return struct.get(remote_addr$LAYOUT, remote_addr$OFFSET); }
      public static void remote_addr(MemorySegment struct, long fieldValue) { struct.set(remote_addr$LAYOUT, remote_addr$OFFSET, fieldValue); }

      private static final OfInt rkey$LAYOUT = (OfInt) $LAYOUT.select(groupElement("rkey"));
      private static final long rkey$OFFSET = $LAYOUT.byteOffset(groupElement("rkey"));
      public static final OfInt rkey$layout() { return rkey$LAYOUT; }
      public static final long rkey$offset() { return rkey$OFFSET; }
      public static int rkey(MemorySegment struct) { return struct.get(rkey$LAYOUT, rkey$OFFSET); }
      public static void rkey(MemorySegment struct, int fieldValue) { struct.set(rkey$LAYOUT, rkey$OFFSET, fieldValue); }

      public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
      public static long sizeof() { return layout().byteSize(); }
      public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
      public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
      public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
    }

    /** {@code struct atomic}. */
    public static class atomic {

      atomic() {
        // Should not be called directly
      }

      private static final GroupLayout $LAYOUT =
          MemoryLayout.structLayout(
              verbs_h.C_LONG.withName("remote_addr"),
              verbs_h.C_LONG.withName("compare_add"),
              verbs_h.C_LONG.withName("swap"),
              verbs_h.C_INT.withName("rkey"),
              MemoryLayout.paddingLayout(4))
              .withName("atomic");

      public static final GroupLayout layout() {
        return $LAYOUT;
      }

      private static final OfLong remote_addr$LAYOUT = (OfLong) $LAYOUT.select(groupElement("remote_addr"));
      private static final long remote_addr$OFFSET = $LAYOUT.byteOffset(groupElement("remote_addr"));
      public static final OfLong remote_addr$layout() { return remote_addr$LAYOUT; }
      public static final long remote_addr$offset() { return remote_addr$OFFSET; }
      public static long remote_addr(MemorySegment struct) { return struct.get(remote_addr$LAYOUT, remote_addr$OFFSET); }
      public static void remote_addr(MemorySegment struct, long fieldValue) { struct.set(remote_addr$LAYOUT, remote_addr$OFFSET, fieldValue); }

      private static final OfLong compare_add$LAYOUT = (OfLong) $LAYOUT.select(groupElement("compare_add"));
      private static final long compare_add$OFFSET = $LAYOUT.byteOffset(groupElement("compare_add"));
      public static final OfLong compare_add$layout() { return compare_add$LAYOUT; }
      public static final long compare_add$offset() { return compare_add$OFFSET; }
      public static long compare_add(MemorySegment struct) { return struct.get(compare_add$LAYOUT, compare_add$OFFSET); }
      public static void compare_add(MemorySegment struct, long fieldValue) { struct.set(compare_add$LAYOUT, compare_add$OFFSET, fieldValue); }

      private static final OfLong swap$LAYOUT = (OfLong) $LAYOUT.select(groupElement("swap"));
      private static final long swap$OFFSET = $LAYOUT.byteOffset(groupElement("swap"));
      public static final OfLong swap$layout() { return swap$LAYOUT; }
      public static final long swap$offset() { return swap$OFFSET; }
      public static long swap(MemorySegment struct) { return struct.get(swap$LAYOUT, swap$OFFSET); }
      public static void swap(MemorySegment struct, long fieldValue) { struct.set(swap$LAYOUT, swap$OFFSET, fieldValue); }

      private static final OfInt rkey$LAYOUT = (OfInt) $LAYOUT.select(groupElement("rkey"));
      private static final long rkey$OFFSET = $LAYOUT.byteOffset(groupElement("rkey"));
      public static final OfInt rkey$layout() { return rkey$LAYOUT; }
      public static final long rkey$offset() { return rkey$OFFSET; }
      public static int rkey(MemorySegment struct) { return struct.get(rkey$LAYOUT, rkey$OFFSET); }
      public static void rkey(MemorySegment struct, int fieldValue) { struct.set(rkey$LAYOUT, rkey$OFFSET, fieldValue); }

      public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
      public static long sizeof() { return layout().byteSize(); }
      public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
      public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
      public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
    }

    /** {@code struct ud}. */
    public static class ud {

      ud() {
        // Should not be called directly
      }

      private static final GroupLayout $LAYOUT =
          MemoryLayout.structLayout(
              verbs_h.C_POINTER.withName("ah"),
              verbs_h.C_INT.withName("remote_qpn"),
              verbs_h.C_INT.withName("remote_qkey"))
              .withName("ud");

      public static final GroupLayout layout() {
        return $LAYOUT;
      }

      private static final AddressLayout ah$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("ah"));
      private static final long ah$OFFSET = $LAYOUT.byteOffset(groupElement("ah"));
      public static final AddressLayout ah$layout() { return ah$LAYOUT; }
      public static final long ah$offset() { return ah$OFFSET; }
      public static MemorySegment ah(MemorySegment struct) { return struct.get(ah$LAYOUT, ah$OFFSET); }
      public static void ah(MemorySegment struct, MemorySegment fieldValue) { struct.set(ah$LAYOUT, ah$OFFSET, fieldValue); }

      private static final OfInt remote_qpn$LAYOUT = (OfInt) $LAYOUT.select(groupElement("remote_qpn"));
      private static final long remote_qpn$OFFSET = $LAYOUT.byteOffset(groupElement("remote_qpn"));
      public static final OfInt remote_qpn$layout() { return remote_qpn$LAYOUT; }
      public static final long remote_qpn$offset() { return remote_qpn$OFFSET; }
      public static int remote_qpn(MemorySegment struct) { return struct.get(remote_qpn$LAYOUT, remote_qpn$OFFSET); }
      public static void remote_qpn(MemorySegment struct, int fieldValue) { struct.set(remote_qpn$LAYOUT, remote_qpn$OFFSET, fieldValue); }

      private static final OfInt remote_qkey$LAYOUT = (OfInt) $LAYOUT.select(groupElement("remote_qkey"));
      private static final long remote_qkey$OFFSET = $LAYOUT.byteOffset(groupElement("remote_qkey"));
      public static final OfInt remote_qkey$layout() { return remote_qkey$LAYOUT; }
      public static final long remote_qkey$offset() { return remote_qkey$OFFSET; }
      public static int remote_qkey(MemorySegment struct) { return struct.get(remote_qkey$LAYOUT, remote_qkey$OFFSET); }
      public static void remote_qkey(MemorySegment struct, int fieldValue) { struct.set(remote_qkey$LAYOUT, remote_qkey$OFFSET, fieldValue); }

      public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
      public static long sizeof() { return layout().byteSize(); }
      public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
      public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
      public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
    }

    private static final GroupLayout rdma$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("rdma"));
    private static final long rdma$OFFSET = $LAYOUT.byteOffset(groupElement("rdma"));
    public static final GroupLayout rdma$layout() { return rdma$LAYOUT; }
    public static final long rdma$offset() { return rdma$OFFSET; }
    public static MemorySegment rdma(MemorySegment struct) { return struct.asSlice(rdma$OFFSET, rdma$LAYOUT.byteSize()); }
    public static void rdma(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, rdma$OFFSET, rdma$LAYOUT.byteSize()); }

    private static final GroupLayout atomic$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("atomic"));
    private static final long atomic$OFFSET = $LAYOUT.byteOffset(groupElement("atomic"));
    public static final GroupLayout atomic$layout() { return atomic$LAYOUT; }
    public static final long atomic$offset() { return atomic$OFFSET; }
    public static MemorySegment atomic(MemorySegment struct) { return struct.asSlice(atomic$OFFSET, atomic$LAYOUT.byteSize()); }
    public static void atomic(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, atomic$OFFSET, atomic$LAYOUT.byteSize()); }

    private static final GroupLayout ud$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("ud"));
    private static final long ud$OFFSET = $LAYOUT.byteOffset(groupElement("ud"));
    public static final GroupLayout ud$layout() { return ud$LAYOUT; }
    public static final long ud$offset() { return ud$OFFSET; }
    public static MemorySegment ud(MemorySegment struct) { return struct.asSlice(ud$OFFSET, ud$LAYOUT.byteSize()); }
    public static void ud(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, ud$OFFSET, ud$LAYOUT.byteSize()); }

    public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
    public static long sizeof() { return layout().byteSize(); }
    public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
    public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
    public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
  }

  /** {@code union qp_type}. */
  public static class qp_type {

    qp_type() {
      // Should not be called directly
    }

    private static final GroupLayout $LAYOUT =
        MemoryLayout.unionLayout(
            xrc.layout().withName("xrc"))
            .withName("qp_type");

    public static final GroupLayout layout() {
      return $LAYOUT;
    }

    /** {@code struct xrc}. */
    public static class xrc {

      xrc() {
        // Should not be called directly
      }

      private static final GroupLayout $LAYOUT =
          MemoryLayout.structLayout(
              verbs_h.C_INT.withName("remote_srqn"))
              .withName("xrc");

      public static final GroupLayout layout() {
        return $LAYOUT;
      }

      private static final OfInt remote_srqn$LAYOUT = (OfInt) $LAYOUT.select(groupElement("remote_srqn"));
      private static final long remote_srqn$OFFSET = $LAYOUT.byteOffset(groupElement("remote_srqn"));
      public static final OfInt remote_srqn$layout() { return remote_srqn$LAYOUT; }
      public static final long remote_srqn$offset() { return remote_srqn$OFFSET; }
      public static int remote_srqn(MemorySegment struct) { return struct.get(remote_srqn$LAYOUT, remote_srqn$OFFSET); }
      public static void remote_srqn(MemorySegment struct, int fieldValue) { struct.set(remote_srqn$LAYOUT, remote_srqn$OFFSET, fieldValue); }

      public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
      public static long sizeof() { return layout().byteSize(); }
      public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
      public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
      public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
    }

    private static final GroupLayout xrc$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("xrc"));
    private static final long xrc$OFFSET = $LAYOUT.byteOffset(groupElement("xrc"));
    public static final GroupLayout xrc$layout() { return xrc$LAYOUT; }
    public static final long xrc$offset() { return xrc$OFFSET; }
    public static MemorySegment xrc(MemorySegment struct) { return struct.asSlice(xrc$OFFSET, xrc$LAYOUT.byteSize()); }
    public static void xrc(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, xrc$OFFSET, xrc$LAYOUT.byteSize()); }

    public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
    public static long sizeof() { return layout().byteSize(); }
    public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
    public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
    public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
  }

  /** {@code struct bind_mw}. */
  public static class bind_mw {

    bind_mw() {
      // Should not be called directly
    }

    private static final GroupLayout $LAYOUT =
        MemoryLayout.structLayout(
            verbs_h.C_POINTER.withName("mw"),
            verbs_h.C_INT.withName("rkey"),
            MemoryLayout.paddingLayout(4),
            ibv_mw_bind_info.layout().withName("bind_info"))
            .withName("bind_mw");

    public static final GroupLayout layout() {
      return $LAYOUT;
    }

    private static final AddressLayout mw$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("mw"));
    private static final long mw$OFFSET = $LAYOUT.byteOffset(groupElement("mw"));
    public static final AddressLayout mw$layout() { return mw$LAYOUT; }
    public static final long mw$offset() { return mw$OFFSET; }
    public static MemorySegment mw(MemorySegment struct) { return struct.get(mw$LAYOUT, mw$OFFSET); }
    public static void mw(MemorySegment struct, MemorySegment fieldValue) { struct.set(mw$LAYOUT, mw$OFFSET, fieldValue); }

    private static final OfInt rkey$LAYOUT = (OfInt) $LAYOUT.select(groupElement("rkey"));
    private static final long rkey$OFFSET = $LAYOUT.byteOffset(groupElement("rkey"));
    public static final OfInt rkey$layout() { return rkey$LAYOUT; }
    public static final long rkey$offset() { return rkey$OFFSET; }
    public static int rkey(MemorySegment struct) { return struct.get(rkey$LAYOUT, rkey$OFFSET); }
    public static void rkey(MemorySegment struct, int fieldValue) { struct.set(rkey$LAYOUT, rkey$OFFSET, fieldValue); }

    private static final GroupLayout bind_info$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("bind_info"));
    private static final long bind_info$OFFSET = $LAYOUT.byteOffset(groupElement("bind_info"));
    public static final GroupLayout bind_info$layout() { return bind_info$LAYOUT; }
    public static final long bind_info$offset() { return bind_info$OFFSET; }
    public static MemorySegment bind_info(MemorySegment struct) { return struct.asSlice(bind_info$OFFSET, bind_info$LAYOUT.byteSize()); }
    public static void bind_info(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, bind_info$OFFSET, bind_info$LAYOUT.byteSize()); }

    public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
    public static long sizeof() { return layout().byteSize(); }
    public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
    public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
    public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
  }

  /** {@code struct tso}. */
  public static class tso {

    tso() {
      // Should not be called directly
    }

    private static final GroupLayout $LAYOUT =
        MemoryLayout.structLayout(
            verbs_h.C_POINTER.withName("hdr"),
            verbs_h.C_SHORT.withName("hdr_sz"),
            verbs_h.C_SHORT.withName("mss"),
            MemoryLayout.paddingLayout(4))
            .withName("tso");

    public static final GroupLayout layout() {
      return $LAYOUT;
    }

    private static final AddressLayout hdr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("hdr"));
    private static final long hdr$OFFSET = $LAYOUT.byteOffset(groupElement("hdr"));
    public static final AddressLayout hdr$layout() { return hdr$LAYOUT; }
    public static final long hdr$offset() { return hdr$OFFSET; }
    public static MemorySegment hdr(MemorySegment struct) { return struct.get(hdr$LAYOUT, hdr$OFFSET); }
    public static void hdr(MemorySegment struct, MemorySegment fieldValue) { struct.set(hdr$LAYOUT, hdr$OFFSET, fieldValue); }

    private static final OfShort hdr_sz$LAYOUT = (OfShort) $LAYOUT.select(groupElement("hdr_sz"));
    private static final long hdr_sz$OFFSET = $LAYOUT.byteOffset(groupElement("hdr_sz"));
    public static final OfShort hdr_sz$layout() { return hdr_sz$LAYOUT; }
    public static final long hdr_sz$offset() { return hdr_sz$OFFSET; }
    public static short hdr_sz(MemorySegment struct) { return struct.get(hdr_sz$LAYOUT, hdr_sz$OFFSET); }
    public static void hdr_sz(MemorySegment struct, short fieldValue) { struct.set(hdr_sz$LAYOUT, hdr_sz$OFFSET, fieldValue); }

    private static final OfShort mss$LAYOUT = (OfShort) $LAYOUT.select(groupElement("mss"));
    private static final long mss$OFFSET = $LAYOUT.byteOffset(groupElement("mss"));
    public static final OfShort mss$layout() { return mss$LAYOUT; }
    public static final long mss$offset() { return mss$OFFSET; }
    public static short mss(MemorySegment struct) { return struct.get(mss$LAYOUT, mss$OFFSET); }
    public static void mss(MemorySegment struct, short fieldValue) { struct.set(mss$LAYOUT, mss$OFFSET, fieldValue); }

    public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
    public static long sizeof() { return layout().byteSize(); }
    public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
    public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
    public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
  }

  private static final OfLong wr_id$LAYOUT = (OfLong) $LAYOUT.select(groupElement("wr_id"));
  private static final long wr_id$OFFSET = $LAYOUT.byteOffset(groupElement("wr_id"));
  public static final OfLong wr_id$layout() { return wr_id$LAYOUT; }
  public static final long wr_id$offset() { return wr_id$OFFSET; }
  public static long wr_id(MemorySegment struct) { return struct.get(wr_id$LAYOUT, wr_id$OFFSET); }
  public static void wr_id(MemorySegment struct, long fieldValue) { struct.set(wr_id$LAYOUT, wr_id$OFFSET, fieldValue); }

  private static final AddressLayout next$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("next"));
  private static final long next$OFFSET = $LAYOUT.byteOffset(groupElement("next"));
  public static final AddressLayout next$layout() { return next$LAYOUT; }
  public static final long next$offset() { return next$OFFSET; }
  public static MemorySegment next(MemorySegment struct) { return struct.get(next$LAYOUT, next$OFFSET); }
  public static void next(MemorySegment struct, MemorySegment fieldValue) { struct.set(next$LAYOUT, next$OFFSET, fieldValue); }

  private static final AddressLayout sg_list$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("sg_list"));
  private static final long sg_list$OFFSET = $LAYOUT.byteOffset(groupElement("sg_list"));
  public static final AddressLayout sg_list$layout() { return sg_list$LAYOUT; }
  public static final long sg_list$offset() { return sg_list$OFFSET; }
  public static MemorySegment sg_list(MemorySegment struct) { return struct.get(sg_list$LAYOUT, sg_list$OFFSET); }
  public static void sg_list(MemorySegment struct, MemorySegment fieldValue) { struct.set(sg_list$LAYOUT, sg_list$OFFSET, fieldValue); }

  private static final OfInt num_sge$LAYOUT = (OfInt) $LAYOUT.select(groupElement("num_sge"));
  private static final long num_sge$OFFSET = $LAYOUT.byteOffset(groupElement("num_sge"));
  public static final OfInt num_sge$layout() { return num_sge$LAYOUT; }
  public static final long num_sge$offset() { return num_sge$OFFSET; }
  public static int num_sge(MemorySegment struct) { return struct.get(num_sge$LAYOUT, num_sge$OFFSET); }
  public static void num_sge(MemorySegment struct, int fieldValue) { struct.set(num_sge$LAYOUT, num_sge$OFFSET, fieldValue); }

  private static final OfInt opcode$LAYOUT = (OfInt) $LAYOUT.select(groupElement("opcode"));
  private static final long opcode$OFFSET = $LAYOUT.byteOffset(groupElement("opcode"));
  public static final OfInt opcode$layout() { return opcode$LAYOUT; }
  public static final long opcode$offset() { return opcode$OFFSET; }
  public static int opcode(MemorySegment struct) { return struct.get(opcode$LAYOUT, opcode$OFFSET); }
  public static void opcode(MemorySegment struct, int fieldValue) { struct.set(opcode$LAYOUT, opcode$OFFSET, fieldValue); }

  private static final OfInt send_flags$LAYOUT = (OfInt) $LAYOUT.select(groupElement("send_flags"));
  private static final long send_flags$OFFSET = $LAYOUT.byteOffset(groupElement("send_flags"));
  public static final OfInt send_flags$layout() { return send_flags$LAYOUT; }
  public static final long send_flags$offset() { return send_flags$OFFSET; }
  public static int send_flags(MemorySegment struct) { return struct.get(send_flags$LAYOUT, send_flags$OFFSET); }
  public static void send_flags(MemorySegment struct, int fieldValue) { struct.set(send_flags$LAYOUT, send_flags$OFFSET, fieldValue); }

  private static final OfInt imm_data$LAYOUT = (OfInt) $LAYOUT.select(groupElement("$anon$1133:2"), groupElement("imm_data"));
  private static final long imm_data$OFFSET = $LAYOUT.byteOffset(groupElement("$anon$1133:2"), groupElement("imm_data"));
  public static final OfInt imm_data$layout() { return imm_data$LAYOUT; }
  public static final long imm_data$offset() { return imm_data$OFFSET; }
  public static int imm_data(MemorySegment struct) { return struct.get(imm_data$LAYOUT, imm_data$OFFSET); }
  public static void imm_data(MemorySegment struct, int fieldValue) { struct.set(imm_data$LAYOUT, imm_data$OFFSET, fieldValue); }

  private static final OfInt invalidate_rkey$LAYOUT = (OfInt) $LAYOUT.select(groupElement("$anon$1133:2"), groupElement("invalidate_rkey"));
  private static final long invalidate_rkey$OFFSET = $LAYOUT.byteOffset(groupElement("$anon$1133:2"), groupElement("invalidate_rkey"));
  public static final OfInt invalidate_rkey$layout() { return invalidate_rkey$LAYOUT; }
  public static final long invalidate_rkey$offset() { return invalidate_rkey$OFFSET; }
  public static int invalidate_rkey(MemorySegment struct) { return struct.get(invalidate_rkey$LAYOUT, invalidate_rkey$OFFSET); }
  public static void invalidate_rkey(MemorySegment struct, int fieldValue) { struct.set(invalidate_rkey$LAYOUT, invalidate_rkey$OFFSET, fieldValue); }

  private static final GroupLayout wr$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("wr"));
  private static final long wr$OFFSET = $LAYOUT.byteOffset(groupElement("wr"));
  public static final GroupLayout wr$layout() { return wr$LAYOUT; }
  public static final long wr$offset() { return wr$OFFSET; }
  public static MemorySegment wr(MemorySegment struct) { return struct.asSlice(wr$OFFSET, wr$LAYOUT.byteSize()); }
  public static void wr(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, wr$OFFSET, wr$LAYOUT.byteSize()); }

  private static final GroupLayout qp_type$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("qp_type"));
  private static final long qp_type$OFFSET = $LAYOUT.byteOffset(groupElement("qp_type"));
  public static final GroupLayout qp_type$layout() { return qp_type$LAYOUT; }
  public static final long qp_type$offset() { return qp_type$OFFSET; }
  public static MemorySegment qp_type(MemorySegment struct) { return struct.asSlice(qp_type$OFFSET, qp_type$LAYOUT.byteSize()); }
  public static void qp_type(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, qp_type$OFFSET, qp_type$LAYOUT.byteSize()); }

  private static final GroupLayout bind_mw$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("$anon$1159:2"), groupElement("bind_mw"));
  private static final long bind_mw$OFFSET = $LAYOUT.byteOffset(groupElement("$anon$1159:2"), groupElement("bind_mw"));
  public static final GroupLayout bind_mw$layout() { return bind_mw$LAYOUT; }
  public static final long bind_mw$offset() { return bind_mw$OFFSET; }
  public static MemorySegment bind_mw(MemorySegment struct) { return struct.asSlice(bind_mw$OFFSET, bind_mw$LAYOUT.byteSize()); }
  public static void bind_mw(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, bind_mw$OFFSET, bind_mw$LAYOUT.byteSize()); }

  private static final GroupLayout tso$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("$anon$1159:2"), groupElement("tso"));
  private static final long tso$OFFSET = $LAYOUT.byteOffset(groupElement("$anon$1159:2"), groupElement("tso"));
  public static final GroupLayout tso$layout() { return tso$LAYOUT; }
  public static final long tso$offset() { return tso$OFFSET; }
  public static MemorySegment tso(MemorySegment struct) { return struct.asSlice(tso$OFFSET, tso$LAYOUT.byteSize()); }
  public static void tso(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, tso$OFFSET, tso$LAYOUT.byteSize()); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
