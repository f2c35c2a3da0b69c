// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct ibv_qp_cap}. */
public class ibv_qp_cap {

  ibv_qp_cap() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_INT.withName("max_send_wr"),
          verbs_h.C_INT.withName("max_recv_wr"),
          verbs_h.C_INT.withName("max_send_sge"),
          verbs_h.C_INT.withName("max_recv_sge"),
          verbs_h.C_INT.withName("max_inline_data"))
          .withName("ibv_qp_cap");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfInt max_send_wr$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_send_wr"));
  private static final long max_send_wr$OFFSET = $LAYOUT.byteOffset(groupElement("max_send_wr"));
  public static final OfInt max_send_wr$layout() { return max_send_wr$LAYOUT; }
  public static final long max_send_wr$offset() { return max_send_wr$OFFSET; }
  public static int max_send_wr(MemorySegment struct) { return struct.get(max_send_wr$LAYOUT, max_send_wr$OFFSET); }
  public static void max_send_wr(MemorySegment struct, int fieldValue) { struct.set(max_send_wr$LAYOUT, max_send_wr$OFFSET, fieldValue); }

  private static final OfInt max_recv_wr$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_recv_wr"));
  private static final long max_recv_wr$OFFSET = $LAYOUT.byteOffset(groupElement("max_recv_wr"));
  public static final OfInt max_recv_wr$layout() { return max_recv_wr$LAYOUT; }
  public static final long max_recv_wr$offset() { return max_recv_wr$OFFSET; }
  public static int max_recv_wr(MemorySegment struct) { return struct.get(max_recv_wr$LAYOUT, max_recv_wr$OFFSET); }
  public static void max_recv_wr(MemorySegment struct, int fieldValue) { struct.set(max_recv_wr$LAYOUT, max_recv_wr$OFFSET, fieldValue); }

  private static final OfInt max_send_sge$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_send_sge"));
  private static final long max_send_sge$OFFSET = $LAYOUT.byteOffset(groupElement("max_send_sge"));
  public static final OfInt max_send_sge$layout() { return max_send_sge$LAYOUT; }
  public static final long max_send_sge$offset() { return max_send_sge$OFFSET; }
  public static int max_send_sge(MemorySegment struct) { return struct.get(max_send_sge$LAYOUT, max_send_sge$OFFSET); }
  public static void max_send_sge(MemorySegment struct, int fieldValue) { struct.set(max_send_sge$LAYOUT, max_send_sge$OFFSET, fieldValue); }

  private static final OfInt max_recv_sge$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_recv_sge"));
  private static final long max_recv_sge$OFFSET = $LAYOUT.byteOffset(groupElement("max_recv_sge"));
  public static final OfInt max_recv_sge$layout() { return max_recv_sge$LAYOUT; }
  public static final long max_recv_sge$offset() { return max_recv_sge$OFFSET; }
  public static int max_recv_sge(MemorySegment struct) { return struct.get(max_recv_sge$LAYOUT, max_recv_sge$OFFSET); }
  public static void max_recv_sge(MemorySegment struct, int fieldValue) { struct.set(max_recv_sge$LAYOUT, max_recv_sge$OFFSET, fieldValue); }

  private static final OfInt max_inline_data$LAYOUT = (OfInt) $LAYOUT.select(groupElement("max_inline_data"));
  private static final long max_inline_data$OFFSET = $LAYOUT.byteOffset(groupElement("max_inline_data"));
  public static final OfInt max_inline_data$layout() { return max_inline_data$LAYOUT; }
  public static final long max_inline_data$offset() { return max_inline_data$OFFSET; }
  public static int max_inline_data(MemorySegment struct) { return struct.get(max_inline_data$LAYOUT, max_inline_data$OFFSET); }
  public static void max_inline_data(MemorySegment struct, int fieldValue) { struct.set(max_inline_data$LAYOUT, max_inline_data$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
