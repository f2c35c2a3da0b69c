// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct ibv_ece}. */
public class ibv_ece {

  ibv_ece() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_INT.withName("vendor_id"),
          verbs_h.C_INT.withName("options"),
          verbs_h.C_INT.withName("comp_mask"))
          .withName("ibv_ece");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfInt vendor_id$LAYOUT = (OfInt) $LAYOUT.select(groupElement("vendor_id"));
  private static final long vendor_id$OFFSET = $LAYOUT.byteOffset(groupElement("vendor_id"));
  public static final OfInt vendor_id$layout() { return vendor_id$LAYOUT; }
  public static final long vendor_id$offset() { return vendor_id$OFFSET; }
  public static int vendor_id(MemorySegment struct) { return struct.get(vendor_id$LAYOUT, vendor_id$OFFSET); }
  public static void vendor_id(MemorySegment struct, int fieldValue) { struct.set(vendor_id$LAYOUT, vendor_id$OFFSET, fieldValue); }

  private static final OfInt options$LAYOUT = (OfInt) $LAYOUT.select(groupElement("options"));
  private static final long options$OFFSET = $LAYOUT.byteOffset(groupElement("options"));
  public static final OfInt options$layout() { return options$LAYOUT; }
  public static final long options$offset() { return options$OFFSET; }
  public static int options(MemorySegment struct) { return struct.get(options$LAYOUT, options$OFFSET); }
  public static void options(MemorySegment struct, int fieldValue) { struct.set(options$LAYOUT, options$OFFSET, fieldValue); }

  private static final OfInt comp_mask$LAYOUT = (OfInt) $LAYOUT.select(groupElement("comp_mask"));
  private static final long comp_mask$OFFSET = $LAYOUT.byteOffset(groupElement("comp_mask"));
  public static final OfInt comp_mask$layout() { return comp_mask$LAYOUT; }
  public static final long comp_mask$offset() { return comp_mask$OFFSET; }
  public static int comp_mask(MemorySegment struct) { return struct.get(comp_mask$LAYOUT, comp_mask$OFFSET); }
  public static void comp_mask(MemorySegment struct, int fieldValue) { struct.set(comp_mask$LAYOUT, comp_mask$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
