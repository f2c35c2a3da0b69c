// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;

/** {@code struct ibv_sge}. */
public class ibv_sge {

  ibv_sge() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_LONG.withName("addr"),
          verbs_h.C_INT.withName("length"),
          verbs_h.C_INT.withName("lkey"))
          .withName("ibv_sge");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong addr$LAYOUT = (OfLong) $LAYOUT.select(groupElement("addr"));
  private static final long addr$OFFSET = $LAYOUT.byteOffset(groupElement("addr"));
  public static final OfLong addr$layout() { return addr$LAYOUT; }
  public static final long addr$offset() { return addr$OFFSET; }
  public static long addr(MemorySegment struct) { return struct.get(addr$LAYOUT, addr$OFFSET); }
  public static void addr(MemorySegment struct, long fieldValue) { struct.set(addr$LAYOUT, addr$OFFSET, fieldValue); }

  private static final OfInt length$LAYOUT = (OfInt) $LAYOUT.select(groupElement("length"));
  private static final long length$OFFSET = $LAYOUT.byteOffset(groupElement("length"));
  public static final OfInt length$layout() { return length$LAYOUT; }
  public static final long length$offset() { return length$OFFSET; }
  public static int length(MemorySegment struct) { return struct.get(length$LAYOUT, length$OFFSET); }
  public static void length(MemorySegment struct, int fieldValue) { struct.set(length$LAYOUT, length$OFFSET, fieldValue); }

  private static final OfInt lkey$LAYOUT = (OfInt) $LAYOUT.select(groupElement("lkey"));
  private static final long lkey$OFFSET = $LAYOUT.byteOffset(groupElement("lkey"));
  public static final OfInt lkey$layout() { return lkey$LAYOUT; }
  public static final long lkey$offset() { return lkey$OFFSET; }
  public static int lkey(MemorySegment struct) { return struct.get(lkey$LAYOUT, lkey$OFFSET); }
  public static void lkey(MemorySegment struct, int fieldValue) { struct.set(lkey$LAYOUT, lkey$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
