// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct ibv_qp}. */
public class ibv_qp {

  ibv_qp() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_POINTER.withName("context"),
          verbs_h.C_POINTER.withName("qp_context"),
          verbs_h.C_POINTER.withName("pd"),
          verbs_h.C_POINTER.withName("send_cq"),
          verbs_h.C_POINTER.withName("recv_cq"),
          verbs_h.C_POINTER.withName("srq"),
          verbs_h.C_INT.withName("handle"),
          verbs_h.C_INT.withName("qp_num"),
          verbs_h.C_INT.withName("state"),
          verbs_h.C_INT.withName("qp_type"),
          MemoryLayout.sequenceLayout(5, verbs_h.C_LONG).withName("mutex"),
          MemoryLayout.sequenceLayout(6, verbs_h.C_LONG).withName("cond"),
          verbs_h.C_INT.withName("events_completed"),
          MemoryLayout.paddingLayout(4))
          .withName("ibv_qp");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout context$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("context"));
  private static final long context$OFFSET = $LAYOUT.byteOffset(groupElement("context"));
  public static final AddressLayout context$layout() { return context$LAYOUT; }
  public static final long context$offset() { return context$OFFSET; }
  public static MemorySegment context(MemorySegment struct) { return struct.get(context$LAYOUT, context$OFFSET); }
  public static void context(MemorySegment struct, MemorySegment fieldValue) { struct.set(context$LAYOUT, context$OFFSET, fieldValue); }

  private static final AddressLayout qp_context$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("qp_context"));
  private static final long qp_context$OFFSET = $LAYOUT.byteOffset(groupElement("qp_context"));
  public static final AddressLayout qp_context$layout() { return qp_context$LAYOUT; }
  public static final long qp_context$offset() { return qp_context$OFFSET; }
  public static MemorySegment qp_context(MemorySegment struct) { return struct.get(qp_context$LAYOUT, qp_context$OFFSET); }
  public static void qp_context(MemorySegment struct, MemorySegment fieldValue) { struct.set(qp_context$LAYOUT, qp_context$OFFSET, fieldValue); }

  private static final AddressLayout pd$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("pd"));
  private static final long pd$OFFSET = $LAYOUT.byteOffset(groupElement("pd"));
  public static final AddressLayout pd$layout() { return pd$LAYOUT; }
  public static final long pd$offset() { return pd$OFFSET; }
  public static MemorySegment pd(MemorySegment struct) { return struct.get(pd$LAYOUT, pd$OFFSET); }
  public static void pd(MemorySegment struct, MemorySegment fieldValue) { struct.set(pd$LAYOUT, pd$OFFSET, fieldValue); }

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

  private static final OfInt handle$LAYOUT = (OfInt) $LAYOUT.select(groupElement("handle"));
  private static final long handle$OFFSET = $LAYOUT.byteOffset(groupElement("handle"));
  public static final OfInt handle$layout() { return handle$LAYOUT; }
  public static final long handle$offset() { return handle$OFFSET; }
  public static int handle(MemorySegment struct) { return struct.get(handle$LAYOUT, handle$OFFSET); }
  public static void handle(MemorySegment struct, int fieldValue) { struct.set(handle$LAYOUT, handle$OFFSET, fieldValue); }

  private static final OfInt qp_num$LAYOUT = (OfInt) $LAYOUT.select(groupElement("qp_num"));
  private static final long qp_num$OFFSET = $LAYOUT.byteOffset(groupElement("qp_num"));
  public static final OfInt qp_num$layout() { return qp_num$LAYOUT; }
  public static final long qp_num$offset() { return qp_num$OFFSET; }
  public static int qp_num(MemorySegment struct) { return struct.get(qp_num$LAYOUT, qp_num$OFFSET); }
  public static void qp_num(MemorySegment struct, int fieldValue) { struct.set(qp_num$LAYOUT, qp_num$OFFSET, fieldValue); }

  private static final OfInt state$LAYOUT = (OfInt) $LAYOUT.select(groupElement("state"));
  private static final long state$OFFSET = $LAYOUT.byteOffset(groupElement("state"));
  public static final OfInt state$layout() { return state$LAYOUT; }
  public static final long state$offset() { return state$OFFSET; }
  public static int state(MemorySegment struct) { return struct.get(state$LAYOUT, state$OFFSET); }
  public static void state(MemorySegment struct, int fieldValue) { struct.set(state$LAYOUT, state$OFFSET, fieldValue); }

  private static final OfInt qp_type$LAYOUT = (OfInt) $LAYOUT.select(groupElement("qp_type"));
  private static final long qp_type$OFFSET = $LAYOUT.byteOffset(groupElement("qp_type"));
  public static final OfInt qp_type$layout() { return qp_type$LAYOUT; }
  public static final long qp_type$offset() { return qp_type$OFFSET; }
  public static int qp_type(MemorySegment struct) { return struct.get(qp_type$LAYOUT, qp_type$OFFSET); }
  public static void qp_type(MemorySegment struct, int fieldValue) { struct.set(qp_type$LAYOUT, qp_type$OFFSET, fieldValue); }

  private static final SequenceLayout mutex$LAYOUT = (SequenceLayout) $LAYOUT.select(groupElement("mutex"));
  private static final long mutex$OFFSET = $LAYOUT.byteOffset(groupElement("mutex"));
  public static final SequenceLayout mutex$layout() { return mutex$LAYOUT; }
  public static final long mutex$offset() { return mutex$OFFSET; }
  public static MemorySegment mutex(MemorySegment struct) { return struct.asSlice(mutex$OFFSET, mutex$LAYOUT.byteSize()); }
  public static void mutex(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, mutex$OFFSET, mutex$LAYOUT.byteSize()); }

  private static final SequenceLayout cond$LAYOUT = (SequenceLayout) $LAYOUT.select(groupElement("cond"));
  private static final long cond$OFFSET = $LAYOUT.byteOffset(groupElement("cond"));
  public static final SequenceLayout cond$layout() { return cond$LAYOUT; }
  public static final long cond$offset() { return cond$OFFSET; }
  public static MemorySegment cond(MemorySegment struct) { return struct.asSlice(cond$OFFSET, cond$LAYOUT.byteSize()); }
  public static void cond(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, cond$OFFSET, cond$LAYOUT.byteSize()); }

  private static final OfInt events_completed$LAYOUT = (OfInt) $LAYOUT.select(groupElement("events_completed"));
  private static final long events_completed$OFFSET = $LAYOUT.byteOffset(groupElement("events_completed"));
  public static final OfInt events_completed$layout() { return events_completed$LAYOUT; }
  public static final long events_completed$offset() { return events_completed$OFFSET; }
  public static int events_completed(MemorySegment struct) { return struct.get(events_completed$LAYOUT, events_completed$OFFSET); }
  public static void events_completed(MemorySegment struct, int fieldValue) { struct.set(events_completed$LAYOUT, events_completed$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
