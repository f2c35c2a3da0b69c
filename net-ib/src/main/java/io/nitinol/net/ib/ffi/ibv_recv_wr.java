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

/** {@code struct ibv_recv_wr}. */
public class ibv_recv_wr {

  ibv_recv_wr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_LONG.withName("wr_id"),
          verbs_h.C_POINTER.withName("next"),
          verbs_h.C_POINTER.withName("sg_list"),
          verbs_h.C_INT.withName("num_sge"),
          MemoryLayout.paddingLayout(4))
          .withName("ibv_recv_wr");

  public static final GroupLayout layout() {
    return $LAYOUT;
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

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
