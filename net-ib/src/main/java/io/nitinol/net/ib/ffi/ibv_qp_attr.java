// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfByte;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfShort;

/** {@code struct ibv_qp_attr}. */
public class ibv_qp_attr {

  ibv_qp_attr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_INT.withName("qp_state"),
          verbs_h.C_INT.withName("cur_qp_state"),
          verbs_h.C_INT.withName("path_mtu"),
          verbs_h.C_INT.withName("path_mig_state"),
          verbs_h.C_INT.withName("qkey"),
          verbs_h.C_INT.withName("rq_psn"),
          verbs_h.C_INT.withName("sq_psn"),
          verbs_h.C_INT.withName("dest_qp_num"),
          verbs_h.C_INT.withName("qp_access_flags"),
          ibv_qp_cap.layout().withName("cap"),
          ibv_ah_attr.layout().withName("ah_attr"),
          ibv_ah_attr.layout().withName("alt_ah_attr"),
          verbs_h.C_SHORT.withName("pkey_index"),
          verbs_h.C_SHORT.withName("alt_pkey_index"),
          verbs_h.C_CHAR.withName("en_sqd_async_notify"),
          verbs_h.C_CHAR.withName("sq_draining"),
          verbs_h.C_CHAR.withName("max_rd_atomic"),
          verbs_h.C_CHAR.withName("max_dest_rd_atomic"),
          verbs_h.C_CHAR.withName("min_rnr_timer"),
          verbs_h.C_CHAR.withName("port_num"),
          verbs_h.C_CHAR.withName("timeout"),
          verbs_h.C_CHAR.withName("retry_cnt"),
          verbs_h.C_CHAR.withName("rnr_retry"),
          verbs_h.C_CHAR.withName("alt_port_num"),
          verbs_h.C_CHAR.withName("alt_timeout"),
          MemoryLayout.paddingLayout(1),
          verbs_h.C_INT.withName("rate_limit"),
          MemoryLayout.paddingLayout(4))
          .withName("ibv_qp_attr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfInt qp_state$LAYOUT = (OfInt) $LAYOUT.select(groupElement("qp_state"));
  private static final long qp_state$OFFSET = $LAYOUT.byteOffset(groupElement("qp_state"));
  public static final OfInt qp_state$layout() { return qp_state$LAYOUT; }
  public static final long qp_state$offset() { return qp_state$OFFSET; }
  public static int qp_state(MemorySegment struct) { return struct.get(qp_state$LAYOUT, qp_state$OFFSET); }
  public static void qp_state(MemorySegment struct, int fieldValue) { struct.set(qp_state$LAYOUT, qp_state$OFFSET, fieldValue); }

  private static final OfInt cur_qp_state$LAYOUT = (OfInt) $LAYOUT.select(groupElement("cur_qp_state"));
  private static final long cur_qp_state$OFFSET = $LAYOUT.byteOffset(groupElement("cur_qp_state"));
  public static final OfInt cur_qp_state$layout() { return cur_qp_state$LAYOUT; }
  public static final long cur_qp_state$offset() { return cur_qp_state$OFFSET; }
  public static int cur_qp_state(MemorySegment struct) { return struct.get(cur_qp_state$LAYOUT, cur_qp_state$OFFSET); }
  public static void cur_qp_state(MemorySegment struct, int fieldValue) { struct.set(cur_qp_state$LAYOUT, cur_qp_state$OFFSET, fieldValue); }

  private static final OfInt path_mtu$LAYOUT = (OfInt) $LAYOUT.select(groupElement("path_mtu"));
  private static final long path_mtu$OFFSET = $LAYOUT.byteOffset(groupElement("path_mtu"));
  public static final OfInt path_mtu$layout() { return path_mtu$LAYOUT; }
  public static final long path_mtu$offset() { return path_mtu$OFFSET; }
  public static int path_mtu(MemorySegment struct) { return struct.get(path_mtu$LAYOUT, path_mtu$OFFSET); }
  public static void path_mtu(MemorySegment struct, int fieldValue) { struct.set(path_mtu$LAYOUT, path_mtu$OFFSET, fieldValue); }

  private static final OfInt path_mig_state$LAYOUT = (OfInt) $LAYOUT.select(groupElement("path_mig_state"));
  private static final long path_mig_state$OFFSET = $LAYOUT.byteOffset(groupElement("path_mig_state"));
  public static final OfInt path_mig_state$layout() { return path_mig_state$LAYOUT; }
  public static final long path_mig_state$offset() { return path_mig_state$OFFSET; }
  public static int path_mig_state(MemorySegment struct) { return struct.get(path_mig_state$LAYOUT, path_mig_state$OFFSET); }
  public static void path_mig_state(MemorySegment struct, int fieldValue) { struct.set(path_mig_state$LAYOUT, path_mig_state$OFFSET, fieldValue); }

  private static final OfInt qkey$LAYOUT = (OfInt) $LAYOUT.select(groupElement("qkey"));
  private static final long qkey$OFFSET = $LAYOUT.byteOffset(groupElement("qkey"));
  public static final OfInt qkey$layout() { return qkey$LAYOUT; }
  public static final long qkey$offset() { return qkey$OFFSET; }
  public static int qkey(MemorySegment struct) { return struct.get(qkey$LAYOUT, qkey$OFFSET); }
  public static void qkey(MemorySegment struct, int fieldValue) { struct.set(qkey$LAYOUT, qkey$OFFSET, fieldValue); }

  private static final OfInt rq_psn$LAYOUT = (OfInt) $LAYOUT.select(groupElement("rq_psn"));
  private static final long rq_psn$OFFSET = $LAYOUT.byteOffset(groupElement("rq_psn"));
  public static final OfInt rq_psn$layout() { return rq_psn$LAYOUT; }
  public static final long rq_psn$offset() { return rq_psn$OFFSET; }
  public static int rq_psn(MemorySegment struct) { return struct.get(rq_psn$LAYOUT, rq_psn$OFFSET); }
  public static void rq_psn(MemorySegment struct, int fieldValue) { struct.set(rq_psn$LAYOUT, rq_psn$OFFSET, fieldValue); }

  private static final OfInt sq_psn$LAYOUT = (OfInt) $LAYOUT.select(groupElement("sq_psn"));
  private static final long sq_psn$OFFSET = $LAYOUT.byteOffset(groupElement("sq_psn"));
  public static final OfInt sq_psn$layout() { return sq_psn$LAYOUT; }
  public static final long sq_psn$offset() { return sq_psn$OFFSET; }
  public static int sq_psn(MemorySegment struct) { return struct.get(sq_psn$LAYOUT, sq_psn$OFFSET); }
  public static void sq_psn(MemorySegment struct, int fieldValue) { struct.set(sq_psn$LAYOUT, sq_psn$OFFSET, fieldValue); }

  private static final OfInt dest_qp_num$LAYOUT = (OfInt) $LAYOUT.select(groupElement("dest_qp_num"));
  private static final long dest_qp_num$OFFSET = $LAYOUT.byteOffset(groupElement("dest_qp_num"));
  public static final OfInt dest_qp_num$layout() { return dest_qp_num$LAYOUT; }
  public static final long dest_qp_num$offset() { return dest_qp_num$OFFSET; }
  public static int dest_qp_num(MemorySegment struct) { return struct.get(dest_qp_num$LAYOUT, dest_qp_num$OFFSET); }
  public static void dest_qp_num(MemorySegment struct, int fieldValue) { struct.set(dest_qp_num$LAYOUT, dest_qp_num$OFFSET, fieldValue); }

  private static final OfInt qp_access_flags$LAYOUT = (OfInt) $LAYOUT.select(groupElement("qp_access_flags"));
  private static final long qp_access_flags$OFFSET = $LAYOUT.byteOffset(groupElement("qp_access_flags"));
  public static final OfInt qp_access_flags$layout() { return qp_access_flags$LAYOUT; }
  public static final long qp_access_flags$offset() { return qp_access_flags$OFFSET; }
  public static int qp_access_flags(MemorySegment struct) { return struct.get(qp_access_flags$LAYOUT, qp_access_flags$OFFSET); }
  public static void qp_access_flags(MemorySegment struct, int fieldValue) { struct.set(qp_access_flags$LAYOUT, qp_access_flags$OFFSET, fieldValue); }

  private static final GroupLayout cap$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("cap"));
  private static final long cap$OFFSET = $LAYOUT.byteOffset(groupElement("cap"));
  public static final GroupLayout cap$layout() { return cap$LAYOUT; }
  public static final long cap$offset() { return cap$OFFSET; }
  public static MemorySegment cap(MemorySegment struct) { return struct.asSlice(cap$OFFSET, cap$LAYOUT.byteSize()); }
  public static void cap(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, cap$OFFSET, cap$LAYOUT.byteSize()); }

  private static final GroupLayout ah_attr$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("ah_attr"));
  private static final long ah_attr$OFFSET = $LAYOUT.byteOffset(groupElement("ah_attr"));
  public static final GroupLayout ah_attr$layout() { return ah_attr$LAYOUT; }
  public static final long ah_attr$offset() { return ah_attr$OFFSET; }
  public static MemorySegment ah_attr(MemorySegment struct) { return struct.asSlice(ah_attr$OFFSET, ah_attr$LAYOUT.byteSize()); }
  public static void ah_attr(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, ah_attr$OFFSET, ah_attr$LAYOUT.byteSize()); }

  private static final GroupLayout alt_ah_attr$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("alt_ah_attr"));
  private static final long alt_ah_attr$OFFSET = $LAYOUT.byteOffset(groupElement("alt_ah_attr"));
  public static final GroupLayout alt_ah_attr$layout() { return alt_ah_attr$LAYOUT; }
  public static final long alt_ah_attr$offset() { return alt_ah_attr$OFFSET; }
  public static MemorySegment alt_ah_attr(MemorySegment struct) { return struct.asSlice(alt_ah_attr$OFFSET, alt_ah_attr$LAYOUT.byteSize()); }
  public static void alt_ah_attr(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, alt_ah_attr$OFFSET, alt_ah_attr$LAYOUT.byteSize()); }

  private static final OfShort pkey_index$LAYOUT = (OfShort) $LAYOUT.select(groupElement("pkey_index"));
  private static final long pkey_index$OFFSET = $LAYOUT.byteOffset(groupElement("pkey_index"));
  public static final OfShort pkey_index$layout() { return pkey_index$LAYOUT; }
  public static final long pkey_index$offset() { return pkey_index$OFFSET; }
  public static short pkey_index(MemorySegment struct) { return struct.get(pkey_index$LAYOUT, pkey_index$OFFSET); }
  public static void pkey_index(MemorySegment struct, short fieldValue) { struct.set(pkey_index$LAYOUT, pkey_index$OFFSET, fieldValue); }

  private static final OfShort alt_pkey_index$LAYOUT = (OfShort) $LAYOUT.select(groupElement("alt_pkey_index"));
  private static final long alt_pkey_index$OFFSET = $LAYOUT.byteOffset(groupElement("alt_pkey_index"));
  public static final OfShort alt_pkey_index$layout() { return alt_pkey_index$LAYOUT; }
  public static final long alt_pkey_index$offset() { return alt_pkey_index$OFFSET; }
  public static short alt_pkey_index(MemorySegment struct) { return struct.get(alt_pkey_index$LAYOUT, alt_pkey_index$OFFSET); }
  public static void alt_pkey_index(MemorySegment struct, short fieldValue) { struct.set(alt_pkey_index$LAYOUT, alt_pkey_index$OFFSET, fieldValue); }

  private static final OfByte en_sqd_async_notify$LAYOUT = (OfByte) $LAYOUT.select(groupElement("en_sqd_async_notify"));
  private static final long en_sqd_async_notify$OFFSET = $LAYOUT.byteOffset(groupElement("en_sqd_async_notify"));
  public static final OfByte en_sqd_async_notify$layout() { return en_sqd_async_notify$LAYOUT; }
  public static final long en_sqd_async_notify$offset() { return en_sqd_async_notify$OFFSET; }
  public static byte en_sqd_async_notify(MemorySegment struct) { return struct.get(en_sqd_async_notify$LAYOUT, en_sqd_async_notify$OFFSET); }
  public static void en_sqd_async_notify(MemorySegment struct, byte fieldValue) { struct.set(en_sqd_async_notify$LAYOUT, en_sqd_async_notify$OFFSET, fieldValue); }

  private static final OfByte sq_draining$LAYOUT = (OfByte) $LAYOUT.select(groupElement("sq_draining"));
  private static final long sq_draining$OFFSET = $LAYOUT.byteOffset(groupElement("sq_draining"));
  public static final OfByte sq_draining$layout() { return sq_draining$LAYOUT; }
  public static final long sq_draining$offset() { return sq_draining$OFFSET; }
  public static byte sq_draining(MemorySegment struct) { return struct.get(sq_draining$LAYOUT, sq_draining$OFFSET); }
  public static void sq_draining(MemorySegment struct, byte fieldValue) { struct.set(sq_draining$LAYOUT, sq_draining$OFFSET, fieldValue); }

  private static final OfByte max_rd_atomic$LAYOUT = (OfByte) $LAYOUT.select(groupElement("max_rd_atomic"));
  private static final long max_rd_atomic$OFFSET = $LAYOUT.byteOffset(groupElement("max_rd_atomic"));
  public static final OfByte max_rd_atomic$layout() { return max_rd_atomic$LAYOUT; }
  public static final long max_rd_atomic$offset() { return max_rd_atomic$OFFSET; }
  public static byte max_rd_atomic(MemorySegment struct) { return struct.get(max_rd_atomic$LAYOUT, max_rd_atomic$OFFSET); }
  public static void max_rd_atomic(MemorySegment struct, byte fieldValue) { struct.set(max_rd_atomic$LAYOUT, max_rd_atomic$OFFSET, fieldValue); }

  private static final OfByte max_dest_rd_atomic$LAYOUT = (OfByte) $LAYOUT.select(groupElement("max_dest_rd_atomic"));
  private static final long max_dest_rd_atomic$OFFSET = $LAYOUT.byteOffset(groupElement("max_dest_rd_atomic"));
  public static final OfByte max_dest_rd_atomic$layout() { return max_dest_rd_atomic$LAYOUT; }
  public static final long max_dest_rd_atomic$offset() { return max_dest_rd_atomic$OFFSET; }
  public static byte max_dest_rd_atomic(MemorySegment struct) { return struct.get(max_dest_rd_atomic$LAYOUT, max_dest_rd_atomic$OFFSET); }
  public static void max_dest_rd_atomic(MemorySegment struct, byte fieldValue) { struct.set(max_dest_rd_atomic$LAYOUT, max_dest_rd_atomic$OFFSET, fieldValue); }

  private static final OfByte min_rnr_timer$LAYOUT = (OfByte) $LAYOUT.select(groupElement("min_rnr_timer"));
  private static final long min_rnr_timer$OFFSET = $LAYOUT.byteOffset(groupElement("min_rnr_timer"));
  public static final OfByte min_rnr_timer$layout() { return min_rnr_timer$LAYOUT; }
  public static final long min_rnr_timer$offset() { return min_rnr_timer$OFFSET; }
  public static byte min_rnr_timer(MemorySegment struct) { return struct.get(min_rnr_timer$LAYOUT, min_rnr_timer$OFFSET); }
  public static void min_rnr_timer(MemorySegment struct, byte fieldValue) { struct.set(min_rnr_timer$LAYOUT, min_rnr_timer$OFFSET, fieldValue); }

  private static final OfByte port_num$LAYOUT = (OfByte) $LAYOUT.select(groupElement("port_num"));
  private static final long port_num$OFFSET = $LAYOUT.byteOffset(groupElement("port_num"));
  public static final OfByte port_num$layout() { return port_num$LAYOUT; }
  public static final long port_num$offset() { return port_num$OFFSET; }
  public static byte port_num(MemorySegment struct) { return struct.get(port_num$LAYOUT, port_num$OFFSET); }
  public static void port_num(MemorySegment struct, byte fieldValue) { struct.set(port_num$LAYOUT, port_num$OFFSET, fieldValue); }

  private static final OfByte timeout$LAYOUT = (OfByte) $LAYOUT.select(groupElement("timeout"));
  private static final long timeout$OFFSET = $LAYOUT.byteOffset(groupElement("timeout"));
  public static final OfByte timeout$layout() { return timeout$LAYOUT; }
  public static final long timeout$offset() { return timeout$OFFSET; }
  public static byte timeout(MemorySegment struct) { return struct.get(timeout$LAYOUT, timeout$OFFSET); }
  public static void timeout(MemorySegment struct, byte fieldValue) { struct.set(timeout$LAYOUT, timeout$OFFSET, fieldValue); }

  private static final OfByte retry_cnt$LAYOUT = (OfByte) $LAYOUT.select(groupElement("retry_cnt"));
  private static final long retry_cnt$OFFSET = $LAYOUT.byteOffset(groupElement("retry_cnt"));
  public static final OfByte retry_cnt$layout() { return retry_cnt$LAYOUT; }
  public static final long retry_cnt$offset() { return retry_cnt$OFFSET; }
  public static byte retry_cnt(MemorySegment struct) { return struct.get(retry_cnt$LAYOUT, retry_cnt$OFFSET); }
  public static void retry_cnt(MemorySegment struct, byte fieldValue) { struct.set(retry_cnt$LAYOUT, retry_cnt$OFFSET, fieldValue); }

  private static final OfByte rnr_retry$LAYOUT = (OfByte) $LAYOUT.select(groupElement("rnr_retry"));
  private static final long rnr_retry$OFFSET = $LAYOUT.byteOffset(groupElement("rnr_retry"));
  public static final OfByte rnr_retry$layout() { return rnr_retry$LAYOUT; }
  public static final long rnr_retry$offset() { return rnr_retry$OFFSET; }
  public static byte rnr_retry(MemorySegment struct) { return struct.get(rnr_retry$LAYOUT, rnr_retry$OFFSET); }
  public static void rnr_retry(MemorySegment struct, byte fieldValue) { struct.set(rnr_retry$LAYOUT, rnr_retry$OFFSET, fieldValue); }

  private static final OfByte alt_port_num$LAYOUT = (OfByte) $LAYOUT.select(groupElement("alt_port_num"));
  private static final long alt_port_num$OFFSET = $LAYOUT.byteOffset(groupElement("alt_port_num"));
  public static final OfByte alt_port_num$layout() { return alt_port_num$LAYOUT; }
  public static final long alt_port_num$offset() { return alt_port_num$OFFSET; }
  public static byte alt_port_num(MemorySegment struct) { return struct.get(alt_port_num$LAYOUT, alt_port_num$OFFSET); }
  public static void alt_port_num(MemorySegment struct, byte fieldValue) { struct.set(alt_port_num$LAYOUT, alt_port_num$OFFSET, fieldValue); }

  private static final OfByte alt_timeout$LAYOUT = (OfByte) $LAYOUT.select(groupElement("alt_timeout"));
  private static final long alt_timeout$OFFSET = $LAYOUT.byteOffset(groupElement("alt_timeout"));
  public static final OfByte alt_timeout$layout() { return alt_timeout$LAYOUT; }
  public static final long alt_timeout$offset() { return alt_timeout$OFFSET; }
  public static byte alt_timeout(MemorySegment struct) { return struct.get(alt_timeout$LAYOUT, alt_timeout$OFFSET); }
  public static void alt_timeout(MemorySegment struct, byte fieldValue) { struct.set(alt_timeout$LAYOUT, alt_timeout$OFFSET, fieldValue); }

  private static final OfInt rate_limit$LAYOUT = (OfInt) $LAYOUT.select(groupElement("rate_limit"));
  private static final long rate_limit$OFFSET = $LAYOUT.byteOffset(groupElement("rate_limit"));
  public static final OfInt rate_limit$layout() { return rate_limit$LAYOUT; }
  public static final long rate_limit$offset() { return rate_limit$OFFSET; }
  public static int rate_limit(MemorySegment struct) { return struct.get(rate_limit$LAYOUT, rate_limit$OFFSET); }
  public static void rate_limit(MemorySegment struct, int fieldValue) { struct.set(rate_limit$LAYOUT, rate_limit$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
