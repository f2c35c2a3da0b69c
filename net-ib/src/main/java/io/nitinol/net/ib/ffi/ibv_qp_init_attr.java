// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct ibv_qp_init_attr}. */
public class ibv_qp_init_attr {

  ibv_qp_init_attr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_POINTER.withName("qp_context"),
          verbs_h.C_POINTER.withName("send_cq"),
          verbs_h.C_POINTER.withName("recv_cq"),
          verbs_h.C_POINTER.withName("srq"),
          ibv_qp_cap.layout().withName("cap"),
          verbs_h.C_INT.withName("qp_type"),
          verbs_h.C_INT.withName("sq_sig_all"),
          MemoryLayout.paddingLayout(4))
          .withName("ibv_qp_init_attr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout qp_context$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("qp_context"));
  private static final long qp_context$OFFSET = $LAYOUT.byteOffset(groupElement("qp_context"));
  public static final AddressLayout qp_context$layout() { return qp_context$LAYOUT; }
  public static final long qp_context$offset() { return qp_context$OFFSET; }
  public static MemorySegment qp_context(MemorySegment struct) { return struct.get(qp_context$LAYOUT, qp_context$OFFSET); }
  public static void qp_context(MemorySegment struct, MemorySegment fieldValue) { struct.set(qp_context$LAYOUT, qp_context$OFFSET, fieldValue); }

  private static final AddressLayout send_cq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("send_cq"));
  private static final long send_cq$OFFSET = $LAYOUT.byteOffset(groupElement("send_cq"));
  public static final AddressLayout send_cq$layout() { return send_cq$LAYOUT; }
  public static final long send_cq$offset() { return send_cq$OFFSET; }
  public static MemorySegment send_cq(MemorySegment struct) { return struct.get(send_cq$LAYOUT, send_cq$OFFSET); }
  public static void send_cq(MemorySegment struct, MemorySegment fieldValue) { struct.set(send_cq$LAYOUT, send_cq$OFFSET, fieldValue); }

  private static final AddressLayout recv_cq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("recv_cq"));
  private static final long recv_cq$OFFSET = $LAYOUT.byteOffset(groupElement("recv_cq"));
  public static final AddressLayout recv_cq$layout() { return recv_cq$LAYOUT; }
  public static final long recv_cq$offset() { return recv_cq$OFFSET; }
  public static MemorySegment recv_cq(MemorySegment struct) { return struct.get(recv_cq$LAYOUT, recv_cq$OFFSET); }
  public static void recv_cq(MemorySegment struct, MemorySegment fieldValue) { struct.set(recv_cq$LAYOUT, recv_cq$OFFSET, fieldValue); }

  private static final AddressLayout srq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("srq"));
  private static final long srq$OFFSET = $LAYOUT.byteOffset(groupElement("srq"));
  public static final AddressLayout srq$layout() { return srq$LAYOUT; }
  public static final long srq$offset() { return srq$OFFSET; }
  public static MemorySegment srq(MemorySegment struct) { return struct.get(srq$LAYOUT, srq$OFFSET); }
  public static void srq(MemorySegment struct, MemorySegment fieldValue) { struct.set(srq$LAYOUT, srq$OFFSET, fieldValue); }

  private static final GroupLayout cap$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("cap"));
  private static final long cap$OFFSET = $LAYOUT.byteOffset(groupElement("cap"));
  public static final GroupLayout cap$layout() { return cap$LAYOUT; }
  public static final long cap$offset() { return cap$OFFSET; }
  public static MemorySegment cap(MemorySegment struct) { return struct.asSlice(cap$OFFSET, cap$LAYOUT.byteSize()); }
  public static void cap(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, cap$OFFSET, cap$LAYOUT.byteSize()); }

  private static final OfInt qp_type$LAYOUT = (OfInt) $LAYOUT.select(groupElement("qp_type"));
  private static final long qp_type$OFFSET = $LAYOUT.byteOffset(groupElement("qp_type"));
  public static final OfInt qp_type$layout() { return qp_type$LAYOUT; }
  public static final long qp_type$offset() { return qp_type$OFFSET; }
  public static int qp_type(MemorySegment struct) { return struct.get(qp_type$LAYOUT, qp_type$OFFSET); }
  public static void qp_type(MemorySegment struct, int fieldValue) { struct.set(qp_type$LAYOUT, qp_type$OFFSET, fieldValue); }

  private static final OfInt sq_sig_all$LAYOUT = (OfInt) $LAYOUT.select(groupElement("sq_sig_all"));
  private static final long sq_sig_all$OFFSET = $LAYOUT.byteOffset(groupElement("sq_sig_all"));
  public static final OfInt sq_sig_all$layout() { return sq_sig_all$LAYOUT; }
  public static final long sq_sig_all$offset() { return sq_sig_all$OFFSET; }
  public static int sq_sig_all(MemorySegment struct) { return struct.get(sq_sig_all$LAYOUT, sq_sig_all$OFFSET); }
  public static void sq_sig_all(MemorySegment struct, int fieldValue) { struct.set(sq_sig_all$LAYOUT, sq_sig_all$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
