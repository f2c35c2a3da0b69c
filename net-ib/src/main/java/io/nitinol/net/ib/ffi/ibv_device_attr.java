// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.ValueLayout.OfByte;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;
import java.lang.foreign.ValueLayout.OfShort;

/** {@code struct ibv_device_attr}. */
public class ibv_device_attr {

  ibv_device_attr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          MemoryLayout.sequenceLayout(64, verbs_h.C_CHAR).withName("fw_ver"),
          verbs_h.C_LONG.withName("node_guid"),
          verbs_h.C_LONG.withName("sys_image_guid"),
          verbs_h.C_LONG.withName("max_mr_size"),
          verbs_h.C_LONG.withName("page_size_cap"),
          verbs_h.C_INT.withName("vendor_id"),
          verbs_h.C_INT.withName("vendor_part_id"),
          verbs_h.C_INT.withName("hw_ver"),
          verbs_h.C_INT.withName("max_qp"),
          verbs_h.C_INT.withName("max_qp_wr"),
          verbs_h.C_INT.withName("device_cap_flags"),
          verbs_h.C_INT.withName("max_sge"),
          verbs_h.C_INT.withName("max_sge_rd"),
          verbs_h.C_INT.withName("max_cq"),
          verbs_h.C_INT.withName("max_cqe"),
          verbs_h.C_INT.withName("max_mr"),
          verbs_h.C_INT.withName("max_pd"),
          verbs_h.C_INT.withName("max_qp_rd_atom"),
          verbs_h.C_INT.withName("max_ee_rd_atom"),
          verbs_h.C_INT.withName("max_res_rd_atom"),
          verbs_h.C_INT.withName("max_qp_init_rd_atom"),
          verbs_h.C_INT.withName("max_ee_init_rd_atom"),
          verbs_h.C_INT.withName("atomic_cap"),
          verbs_h.C_INT.withName("max_ee"),
          verbs_h.C_INT.withName("max_rdd"),
          verbs_h.C_INT.withName("max_mw"),
          verbs_h.C_INT.withName("max_raw_ipv6_qp"),
          verbs_h.C_INT.withName("max_raw_ethy_qp"),
          verbs_h.C_INT.withName("max_mcast_grp"),
          verbs_h.C_INT.withName("max_mcast_qp_attach"),
          verbs_h.C_INT.withName("max_total_mcast_qp_attach"),
          verbs_h.C_INT.withName("max_ah"),
          verbs_h.C_INT.withName("max_fmr"),
          verbs_h.C_INT.withName("max_map_per_fmr"),
          verbs_h.C_INT.withName("max_srq"),
          verbs_h.C_INT.withName("max_srq_wr"),
          verbs_h.C_INT.withName("max_srq_sge"),
          verbs_h.C_SHORT.withName("max_pkeys"),
          verbs_h.C_CHAR.withName("local_ca_ack_delay"),
          verbs_h.C_CHAR.withName("phys_port_cnt"),
          MemoryLayout.paddingLayout(4))
          .withName("ibv_device_attr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final SequenceLayout fw_ver$LAYOUT = (SequenceLayout) $LAYOUT.select(groupElement("fw_ver"));
  private static final long fw_ver$OFFSET = $LAYOUT.byteOffset(groupElement("fw_ver"));
  public static final SequenceLayout fw_ver$layout() { return fw_ver$LAYOUT; }
  public static final long fw_ver$offset() { return fw_ver$OFFSET; }
  public static MemorySegment fw_ver(MemorySegment struct) { return struct.asSlice(fw_ver$OFFSET, fw_ver$LAYOUT.byteSize()); }
  public static void fw_ver(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, fw_ver$OFFSET, fw_ver$LAYOUT.byteSize()); }

  private static final OfLong node_guid$LAYOUT = (OfLong) $LAYOUT.select(groupElement("node_guid"));
  private static final long node_guid$OFFSET = $LAYOUT.byteOffset(groupElement("node_guid"));
  public static final OfLong node_guid$layout() { return node_guid$LAYOUT; }
  public static final long node_guid$offset() { return node_guid$OFFSET; }
  public static long node_guid(MemorySegment struct) { return struct.get(node_guid$LAYOUT, node_guid$OFFSET); }
  public static void node_guid(MemorySegment struct, long fieldValue) { struct.set(node_guid$LAYOUT, node_guid$OFFSET, fieldValue); }

  private static final OfLong sys_image_guid$LAYOUT = (OfLong) $LAYOUT.select(groupElement("sys_image_guid"));
  private static final long sys_image_guid$OFFSET = $LAYOUT.byteOffset(groupElement("sys_image_guid"));
  public static final OfLong sys_image_guid$layout() { return sys_image_guid$LAYOUT; }
  public static final long sys_image_guid$offset() { return sys_image_guid$OFFSET; }
  public static long sys_image_guid(MemorySegment struct) { return struct.get(sys_image_guid$LAYOUT, sys_image_guid$OFFSET); }
  public static void sys_image_guid(MemorySegment struct, long fieldValue) { struct.set(sys_image_guid$LAYOUT, sys_image_guid$OFFSET, fieldValue); }

  private static final OfLong max_mr_size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("max_mr_size"));
  private static final long max_mr_size$OFFSET = $LAYOUT.byteOffset(groupElement("max_mr_size"));
  public static final OfLong max_mr_size$layout() { return max_mr_size$LAYOUT; }
  public static final long max_mr_size$offset() { return max_mr_size$OFFSET; }
  public static long max_mr_size(MemorySegment struct) { return struct.get(max_mr_size$LAYOUT, max_mr_size$OFFSET); }
  public static void max_mr_size(MemorySegment struct, long fieldValue) { struct.set(max_mr_size$LAYOUT, max_mr_size$OFFSET, fieldValue); }

  private static final OfLong page_size_cap$LAYOUT = (OfLong) $LAYOUT.select(groupElement("page_size_cap"));
  private static final long page_size_cap$OFFSET = $LAYOUT.byteOffset(groupElement("page_size_cap"));
  public static final OfLong page_size_cap$layout() { return page_size_cap$LAYOUT; }
  public static final long page_size_cap$offset() { return page_size_cap$OFFSET; }
  public static long page_size_cap(MemorySegment struct) { return struct.get(page_size_cap$LAYOUT, page_size_cap$OFFSET); }
  public static void page_size_cap(MemorySegment struct, long fieldValue) { struct.set(page_size_cap$LAYOUT, page_size_cap$OFFSET, fieldValue); }

  private static final OfInt vendor_id$LAYOUT = (OfInt) $LAYOUT.select(groupElement("vendor_id"));
  private static final long vendor_id$OFFSET = $LAYOUT.byteOffset(groupElement("vendor_id"));
  public static final OfInt vendor_id$layout() { return vendor_id$LAYOUT; }
  public static final long vendor_id$offset() { return vendor_id$OFFSET; }
  public static int vendor_id(MemorySegment struct) { return struct.get(vendor_id$LAYOUT, vendor_id$OFFSET); }
  public static void vendor_id(MemorySegment struct, int fieldValue) { struct.set(vendor_id$LAYOUT, vendor_id$OFFSET, fieldValue); }

  private static final OfInt vendor_part_id$LAYOUT = (OfInt) $LAYOUT.select(groupElement("vendor_part_id"));
  private static final long vendor_part_id$OFFSET = $LAYOUT.byteOffset(groupElement("vendor_part_id"));
  public static final OfInt vendor_part_id$layout() { return vendor_part_id$LAYOUT; }
  public static final long vendor_part_id$offset() { return vendor_part_id$OFFSET; }
  public static int vendor_part_id(MemorySegment struct) { return struct.get(vendor_part_id$LAYOUT, vendor_part_id$OFFSET); }
  public static void vendor_part_id(MemorySegment struct, int fieldValue) { struct.set(vendor_part_id$LAYOUT, vendor_part_id$OFFSET, fieldValue); }

  private static final OfInt hw_ver$LAYOUT = (OfInt) $LAYOUT.select(groupElement("hw_ver"));
  private static final long hw_ver$OFFSET = $LAYOUT.byteOffset(groupElement("hw_ver"));
  public static final OfInt hw_ver$layout() { return hw_ver$LAYOUT; }
  public static final long hw_ver$offset() { return hw_ver$OFFSET; }
  public static int hw_ver(MemorySegment struct) { return struct.get(hw_ver$LAYOUT, hw_ver$OFFSET); }
  public static void hw_ver(MemorySegment struct, int fieldValue) { struct.set(hw_ver$LAYOUT, hw_ver$OFFSET, fieldValue); }

  private static final OfInt max_qp$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_qp"));
  private static final long max_qp$OFFSET = $LAYOUT.byteOffset(groupElement("max_qp"));
  public static final OfInt max_qp$layout() { return max_qp$LAYOUT; }
  public static final long max_qp$offset() { return max_qp$OFFSET; }
  public static int max_qp(MemorySegment struct) { return struct.get(max_qp$LAYOUT, max_qp$OFFSET); }
  public static void max_qp(MemorySegment struct, int fieldValue) { struct.set(max_qp$LAYOUT, max_qp$OFFSET, fieldValue); }

  private static final OfInt max_qp_wr$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_qp_wr"));
  private static final long max_qp_wr$OFFSET = $LAYOUT.byteOffset(groupElement("max_qp_wr"));
  public static final OfInt max_qp_wr$layout() { return max_qp_wr$LAYOUT; }
  public static final long max_qp_wr$offset() { return max_qp_wr$OFFSET; }
  public static int max_qp_wr(MemorySegment struct) { return struct.get(max_qp_wr$LAYOUT, max_qp_wr$OFFSET); }
  public static void max_qp_wr(MemorySegment struct, int fieldValue) { struct.set(max_qp_wr$LAYOUT, max_qp_wr$OFFSET, fieldValue); }

  private static final OfInt device_cap_flags$LAYOUT = (OfInt) $LAYOUT.select(groupElement("device_cap_flags"));
  private static final long device_cap_flags$OFFSET = $LAYOUT.byteOffset(groupElement("device_cap_flags"));
  public static final OfInt device_cap_flags$layout() { return device_cap_flags$LAYOUT; }
  public static final long device_cap_flags$offset() { return device_cap_flags$OFFSET; }
  public static int device_cap_flags(MemorySegment struct) { return struct.get(device_cap_flags$LAYOUT, device_cap_flags$OFFSET); }
  public static void device_cap_flags(MemorySegment struct, int fieldValue) { struct.set(device_cap_flags$LAYOUT, device_cap_flags$OFFSET, fieldValue); }

  private static final OfInt max_sge$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_sge"));
  private static final long max_sge$OFFSET = $LAYOUT.byteOffset(groupElement("max_sge"));
  public static final OfInt max_sge$layout() { return max_sge$LAYOUT; }
  public static final long max_sge$offset() { return max_sge$OFFSET; }
  public static int max_sge(MemorySegment struct) { return struct.get(max_sge$LAYOUT, max_sge$OFFSET); }
  public static void max_sge(MemorySegment struct, int fieldValue) { struct.set(max_sge$LAYOUT, max_sge$OFFSET, fieldValue); }

  private static final OfInt max_sge_rd$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_sge_rd"));
  private static final long max_sge_rd$OFFSET = $LAYOUT.byteOffset(groupElement("max_sge_rd"));
  public static final OfInt max_sge_rd$layout() { return max_sge_rd$LAYOUT; }
  public static final long max_sge_rd$offset() { return max_sge_rd$OFFSET; }
  public static int max_sge_rd(MemorySegment struct) { return struct.get(max_sge_rd$LAYOUT, max_sge_rd$OFFSET); }
  public static void max_sge_rd(MemorySegment struct, int fieldValue) { struct.set(max_sge_rd$LAYOUT, max_sge_rd$OFFSET, fieldValue); }

  private static final OfInt max_cq$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_cq"));
  private static final long max_cq$OFFSET = $LAYOUT.byteOffset(groupElement("max_cq"));
  public static final OfInt max_cq$layout() { return max_cq$LAYOUT; }
  public static final long max_cq$offset() { return max_cq$OFFSET; }
  public static int max_cq(MemorySegment struct) { return struct.get(max_cq$LAYOUT, max_cq$OFFSET); }
  public static void max_cq(MemorySegment struct, int fieldValue) { struct.set(max_cq$LAYOUT, max_cq$OFFSET, fieldValue); }

  private static final OfInt max_cqe$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_cqe"));
  private static final long max_cqe$OFFSET = $LAYOUT.byteOffset(groupElement("max_cqe"));
  public static final OfInt max_cqe$layout() { return max_cqe$LAYOUT; }
  public static final long max_cqe$offset() { return max_cqe$OFFSET; }
  public static int max_cqe(MemorySegment struct) { return struct.get(max_cqe$LAYOUT, max_cqe$OFFSET); }
  public static void max_cqe(MemorySegment struct, int fieldValue) { struct.set(max_cqe$LAYOUT, max_cqe$OFFSET, fieldValue); }

  private static final OfInt max_mr$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_mr"));
  private static final long max_mr$OFFSET = $LAYOUT.byteOffset(groupElement("max_mr"));
  public static final OfInt max_mr$layout() { return max_mr$LAYOUT; }
  public static final long max_mr$offset() { return max_mr$OFFSET; }
  public static int max_mr(MemorySegment struct) { return struct.get(max_mr$LAYOUT, max_mr$OFFSET); }
  public static void max_mr(MemorySegment struct, int fieldValue) { struct.set(max_mr$LAYOUT, max_mr$OFFSET, fieldValue); }

  private static final OfInt max_pd$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_pd"));
  private static final long max_pd$OFFSET = $LAYOUT.byteOffset(groupElement("max_pd"));
  public static final OfInt max_pd$layout() { return max_pd$LAYOUT; }
  public static final long max_pd$offset() { return max_pd$OFFSET; }
  public static int max_pd(MemorySegment struct) { return struct.get(max_pd$LAYOUT, max_pd$OFFSET); }
  public static void max_pd(MemorySegment struct, int fieldValue) { struct.set(max_pd$LAYOUT, max_pd$OFFSET, fieldValue); }

  private static final OfInt max_qp_rd_atom$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_qp_rd_atom"));
  private static final long max_qp_rd_atom$OFFSET = $LAYOUT.byteOffset(groupElement("max_qp_rd_atom"));
  public static final OfInt max_qp_rd_atom$layout() { return max_qp_rd_atom$LAYOUT; }
  public static final long max_qp_rd_atom$offset() { return max_qp_rd_atom$OFFSET; }
  public static int max_qp_rd_atom(MemorySegment struct) { return struct.get(max_qp_rd_atom$LAYOUT, max_qp_rd_atom$OFFSET); }
  public static void max_qp_rd_atom(MemorySegment struct, int fieldValue) { struct.set(max_qp_rd_atom$LAYOUT, max_qp_rd_atom$OFFSET, fieldValue); }

  private static final OfInt max_ee_rd_atom$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_ee_rd_atom"));
  private static final long max_ee_rd_atom$OFFSET = $LAYOUT.byteOffset(groupElement("max_ee_rd_atom"));
  public static final OfInt max_ee_rd_atom$layout() { return max_ee_rd_atom$LAYOUT; }
  public static final long max_ee_rd_atom$offset() { return max_ee_rd_atom$OFFSET; }
  public static int max_ee_rd_atom(MemorySegment struct) { return struct.get(max_ee_rd_atom$LAYOUT, max_ee_rd_atom$OFFSET); }
  public static void max_ee_rd_atom(MemorySegment struct, int fieldValue) { struct.set(max_ee_rd_atom$LAYOUT, max_ee_rd_atom$OFFSET, fieldValue); }

  private static final OfInt max_res_rd_atom$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_res_rd_atom"));
  private static final long max_res_rd_atom$OFFSET = $LAYOUT.byteOffset(groupElement("max_res_rd_atom"));
  public static final OfInt max_res_rd_atom$layout() { return max_res_rd_atom$LAYOUT; }
  public static final long max_res_rd_atom$offset() { return max_res_rd_atom$OFFSET; }
  public static int max_res_rd_atom(MemorySegment struct) { return struct.get(max_res_rd_atom$LAYOUT, max_res_rd_atom$OFFSET); }
  public static void max_res_rd_atom(MemorySegment struct, int fieldValue) { struct.set(max_res_rd_atom$LAYOUT, max_res_rd_atom$OFFSET, fieldValue); }

  private static final OfInt max_qp_init_rd_atom$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_qp_init_rd_atom"));
  private static final long max_qp_init_rd_atom$OFFSET = $LAYOUT.byteOffset(groupElement("max_qp_init_rd_atom"));
  public static final OfInt max_qp_init_rd_atom$layout() { return max_qp_init_rd_atom$LAYOUT; }
  public static final long max_qp_init_rd_atom$offset() { return max_qp_init_rd_atom$OFFSET; }
  public static int max_qp_init_rd_atom(MemorySegment struct) { return struct.get(max_qp_init_rd_atom$LAYOUT, max_qp_init_rd_atom$OFFSET); }
  public static void max_qp_init_rd_atom(MemorySegment struct, int fieldValue) { struct.set(max_qp_init_rd_atom$LAYOUT, max_qp_init_rd_atom$OFFSET, fieldValue); }

  private static final OfInt max_ee_init_rd_atom$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_ee_init_rd_atom"));
  private static final long max_ee_init_rd_atom$OFFSET = $LAYOUT.byteOffset(groupElement("max_ee_init_rd_atom"));
  public static final OfInt max_ee_init_rd_atom$layout() { return max_ee_init_rd_atom$LAYOUT; }
  public static final long max_ee_init_rd_atom$offset() { return max_ee_init_rd_atom$OFFSET; }
  public static int max_ee_init_rd_atom(MemorySegment struct) { return struct.get(max_ee_init_rd_atom$LAYOUT, max_ee_init_rd_atom$OFFSET); }
  public static void max_ee_init_rd_atom(MemorySegment struct, int fieldValue) { struct.set(max_ee_init_rd_atom$LAYOUT, max_ee_init_rd_atom$OFFSET, fieldValue); }

  private static final OfInt atomic_cap$LAYOUT = (OfInt) $LAYOUT.select(groupElement("atomic_cap"));
  private static final long atomic_cap$OFFSET = $LAYOUT.byteOffset(groupElement("atomic_cap"));
  public static final OfInt atomic_cap$layout() { return atomic_cap$LAYOUT; }
  public static final long atomic_cap$offset() { return atomic_cap$OFFSET; }
  public static int atomic_cap(MemorySegment struct) { return struct.get(atomic_cap$LAYOUT, atomic_cap$OFFSET); }
  public static void atomic_cap(MemorySegment struct, int fieldValue) { struct.set(atomic_cap$LAYOUT, atomic_cap$OFFSET, fieldValue); }

  private static final OfInt max_ee$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_ee"));
  private static final long max_ee$OFFSET = $LAYOUT.byteOffset(groupElement("max_ee"));
  public static final OfInt max_ee$layout() { return max_ee$LAYOUT; }
  public static final long max_ee$offset() { return max_ee$OFFSET; }
  public static int max_ee(MemorySegment struct) { return struct.get(max_ee$LAYOUT, max_ee$OFFSET); }
  public static void max_ee(MemorySegment struct, int fieldValue) { struct.set(max_ee$LAYOUT, max_ee$OFFSET, fieldValue); }

  private static final OfInt max_rdd$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_rdd"));
  private static final long max_rdd$OFFSET = $LAYOUT.byteOffset(groupElement("max_rdd"));
  public static final OfInt max_rdd$layout() { return max_rdd$LAYOUT; }
  public static final long max_rdd$offset() { return max_rdd$OFFSET; }
  public static int max_rdd(MemorySegment struct) { return struct.get(max_rdd$LAYOUT, max_rdd$OFFSET); }
  public static void max_rdd(MemorySegment struct, int fieldValue) { struct.set(max_rdd$LAYOUT, max_rdd$OFFSET, fieldValue); }

  private static final OfInt max_mw$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_mw"));
  private static final long max_mw$OFFSET = $LAYOUT.byteOffset(groupElement("max_mw"));
  public static final OfInt max_mw$layout() { return max_mw$LAYOUT; }
  public static final long max_mw$offset() { return max_mw$OFFSET; }
  public static int max_mw(MemorySegment struct) { return struct.get(max_mw$LAYOUT, max_mw$OFFSET); }
  public static void max_mw(MemorySegment struct, int fieldValue) { struct.set(max_mw$LAYOUT, max_mw$OFFSET, fieldValue); }

  private static final OfInt max_raw_ipv6_qp$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_raw_ipv6_qp"));
  private static final long max_raw_ipv6_qp$OFFSET = $LAYOUT.byteOffset(groupElement("max_raw_ipv6_qp"));
  public static final OfInt max_raw_ipv6_qp$layout() { return max_raw_ipv6_qp$LAYOUT; }
  public static final long max_raw_ipv6_qp$offset() { return max_raw_ipv6_qp$OFFSET; }
  public static int max_raw_ipv6_qp(MemorySegment struct) { return struct.get(max_raw_ipv6_qp$LAYOUT, max_raw_ipv6_qp$OFFSET); }
  public static void max_raw_ipv6_qp(MemorySegment struct, int fieldValue) { struct.set(max_raw_ipv6_qp$LAYOUT, max_raw_ipv6_qp$OFFSET, fieldValue); }

  private static final OfInt max_raw_ethy_qp$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_raw_ethy_qp"));
  private static final long max_raw_ethy_qp$OFFSET = $LAYOUT.byteOffset(groupElement("max_raw_ethy_qp"));
  public static final OfInt max_raw_ethy_qp$layout() { return max_raw_ethy_qp$LAYOUT; }
  public static final long max_raw_ethy_qp$offset() { return max_raw_ethy_qp$OFFSET; }
  public static int max_raw_ethy_qp(MemorySegment struct) { return struct.get(max_raw_ethy_qp$LAYOUT, max_raw_ethy_qp$OFFSET); }
  public static void max_raw_ethy_qp(MemorySegment struct, int fieldValue) { struct.set(max_raw_ethy_qp$LAYOUT, max_raw_ethy_qp$OFFSET, fieldValue); }

  private static final OfInt max_mcast_grp$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_mcast_grp"));
  private static final long max_mcast_grp$OFFSET = $LAYOUT.byteOffset(groupElement("max_mcast_grp"));
  public static final OfInt max_mcast_grp$layout() { return max_mcast_grp$LAYOUT; }
  public static final long max_mcast_grp$offset() { return max_mcast_grp$OFFSET; }
  public static int max_mcast_grp(MemorySegment struct) { return struct.get(max_mcast_grp$LAYOUT, max_mcast_grp$OFFSET); }
  public static void max_mcast_grp(MemorySegment struct, int fieldValue) { struct.set(max_mcast_grp$LAYOUT, max_mcast_grp$OFFSET, fieldValue); }

  private static final OfInt max_mcast_qp_attach$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_mcast_qp_attach"));
  private static final long max_mcast_qp_attach$OFFSET = $LAYOUT.byteOffset(groupElement("max_mcast_qp_attach"));
  public static final OfInt max_mcast_qp_attach$layout() { return max_mcast_qp_attach$LAYOUT; }
  public static final long max_mcast_qp_attach$offset() { return max_mcast_qp_attach$OFFSET; }
  public static int max_mcast_qp_attach(MemorySegment struct) { return struct.get(max_mcast_qp_attach$LAYOUT, max_mcast_qp_attach$OFFSET); }
  public static void max_mcast_qp_attach(MemorySegment struct, int fieldValue) { struct.set(max_mcast_qp_attach$LAYOUT, max_mcast_qp_attach$OFFSET, fieldValue); }

  private static final OfInt max_total_mcast_qp_attach$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_total_mcast_qp_attach"));
  private static final long max_total_mcast_qp_attach$OFFSET = $LAYOUT.byteOffset(groupElement("max_total_mcast_qp_attach"));
  public static final OfInt max_total_mcast_qp_attach$layout() { return max_total_mcast_qp_attach$LAYOUT; }
  public static final long max_total_mcast_qp_attach$offset() { return max_total_mcast_qp_attach$OFFSET; }
  public static int max_total_mcast_qp_attach(MemorySegment struct) { return struct.get(max_total_mcast_qp_attach$LAYOUT, max_total_mcast_qp_attach$OFFSET); }
  public static void max_total_mcast_qp_attach(MemorySegment struct, int fieldValue) { struct.set(max_total_mcast_qp_attach$LAYOUT, max_total_mcast_qp_attach$OFFSET, fieldValue); }

  private static final OfInt max_ah$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_ah"));
  private static final long max_ah$OFFSET = $LAYOUT.byteOffset(groupElement("max_ah"));
  public static final OfInt max_ah$layout() { return max_ah$LAYOUT; }
  public static final long max_ah$offset() { return max_ah$OFFSET; }
  public static int max_ah(MemorySegment struct) { return struct.get(max_ah$LAYOUT, max_ah$OFFSET); }
  public static void max_ah(MemorySegment struct, int fieldValue) { struct.set(max_ah$LAYOUT, max_ah$OFFSET, fieldValue); }

  private static final OfInt max_fmr$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_fmr"));
  private static final long max_fmr$OFFSET = $LAYOUT.byteOffset(groupElement("max_fmr"));
  public static final OfInt max_fmr$layout() { return max_fmr$LAYOUT; }
  public static final long max_fmr$offset() { return max_fmr$OFFSET; }
  public static int max_fmr(MemorySegment struct) { return struct.get(max_fmr$LAYOUT, max_fmr$OFFSET); }
  public static void max_fmr(MemorySegment struct, int fieldValue) { struct.set(max_fmr$LAYOUT, max_fmr$OFFSET, fieldValue); }

  private static final OfInt max_map_per_fmr$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_map_per_fmr"));
  private static final long max_map_per_fmr$OFFSET = $LAYOUT.byteOffset(groupElement("max_map_per_fmr"));
  public static final OfInt max_map_per_fmr$layout() { return max_map_per_fmr$LAYOUT; }
  public static final long max_map_per_fmr$offset() { return max_map_per_fmr$OFFSET; }
  public static int max_map_per_fmr(MemorySegment struct) { return struct.get(max_map_per_fmr$LAYOUT, max_map_per_fmr$OFFSET); }
  public static void max_map_per_fmr(MemorySegment struct, int fieldValue) { struct.set(max_map_per_fmr$LAYOUT, max_map_per_fmr$OFFSET, fieldValue); }

  private static final OfInt max_srq$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_srq"));
  private static final long max_srq$OFFSET = $LAYOUT.byteOffset(groupElement("max_srq"));
  public static final OfInt max_srq$layout() { return max_srq$LAYOUT; }
  public static final long max_srq$offset() { return max_srq$OFFSET; }
  public static int max_srq(MemorySegment struct) { return struct.get(max_srq$LAYOUT, max_srq$OFFSET); }
  public static void max_srq(MemorySegment struct, int fieldValue) { struct.set(max_srq$LAYOUT, max_srq$OFFSET, fieldValue); }

  private static final OfInt max_srq_wr$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_srq_wr"));
  private static final long max_srq_wr$OFFSET = $LAYOUT.byteOffset(groupElement("max_srq_wr"));
  public static final OfInt max_srq_wr$layout() { return max_srq_wr$LAYOUT; }
  public static final long max_srq_wr$offset() { return max_srq_wr$OFFSET; }
  public static int max_srq_wr(MemorySegment struct) { return struct.get(max_srq_wr$LAYOUT, max_srq_wr$OFFSET); }
  public static void max_srq_wr(MemorySegment struct, int fieldValue) { struct.set(max_srq_wr$LAYOUT, max_srq_wr$OFFSET, fieldValue); }

  private static final OfInt max_srq_sge$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_srq_sge"));
  private static final long max_srq_sge$OFFSET = $LAYOUT.byteOffset(groupElement("max_srq_sge"));
  public static final OfInt max_srq_sge$layout() { return max_srq_sge$LAYOUT; }
  public static final long max_srq_sge$offset() { return max_srq_sge$OFFSET; }
  public static int max_srq_sge(MemorySegment struct) { return struct.get(max_srq_sge$LAYOUT, max_srq_sge$OFFSET); }
  public static void max_srq_sge(MemorySegment struct, int fieldValue) { struct.set(max_srq_sge$LAYOUT, max_srq_sge$OFFSET, fieldValue); }

  private static final OfShort max_pkeys$LAYOUT = (OfShort) $LAYOUT.select(groupElement("max_pkeys"));
  private static final long max_pkeys$OFFSET = $LAYOUT.byteOffset(groupElement("max_pkeys"));
  public static final OfShort max_pkeys$layout() { return max_pkeys$LAYOUT; }
  public static final long max_pkeys$offset() { return max_pkeys$OFFSET; }
  public static short max_pkeys(MemorySegment struct) { return struct.get(max_pkeys$LAYOUT, max_pkeys$OFFSET); }
  public static void max_pkeys(MemorySegment struct, short fieldValue) { struct.set(max_pkeys$LAYOUT, max_pkeys$OFFSET, fieldValue); }

  private static final OfByte local_ca_ack_delay$LAYOUT = (OfByte) $LAYOUT.select(groupElement("local_ca_ack_delay"));
  private static final long local_ca_ack_delay$OFFSET = $LAYOUT.byteOffset(groupElement("local_ca_ack_delay"));
  public static final OfByte local_ca_ack_delay$layout() { return local_ca_ack_delay$LAYOUT; }
  public static final long local_ca_ack_delay$offset() { return local_ca_ack_delay$OFFSET; }
  public static byte local_ca_ack_delay(MemorySegment struct) { return struct.get(local_ca_ack_delay$LAYOUT, local_ca_ack_delay$OFFSET); }
  public static void local_ca_ack_delay(MemorySegment struct, byte fieldValue) { struct.set(local_ca_ack_delay$LAYOUT, local_ca_ack_delay$OFFSET, fieldValue); }

  private static final OfByte phys_port_cnt$LAYOUT = (OfByte) $LAYOUT.select(groupElement("phys_port_cnt"));
  private static final long phys_port_cnt$OFFSET = $LAYOUT.byteOffset(groupElement("phys_port_cnt"));
  public static final OfByte phys_port_cnt$layout() { return phys_port_cnt$LAYOUT; }
  public static final long phys_port_cnt$offset() { return phys_port_cnt$OFFSET; }
  public static byte phys_port_cnt(MemorySegment struct) { return struct.get(phys_port_cnt$LAYOUT, phys_port_cnt$OFFSET); }
  public static void phys_port_cnt(MemorySegment struct, byte fieldValue) { struct.set(phys_port_cnt$LAYOUT, phys_port_cnt$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
