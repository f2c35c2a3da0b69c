// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfLong;

/** The beginning of {@code struct fi_ops_av}. */
public class fi_ops_av {

  fi_ops_av() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_LONG.withName("size"),
          fabric_h.C_POINTER.withName("insert"))
          .withName("fi_ops_av");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("size"));
  private static final long size$OFFSET = $LAYOUT.byteOffset(groupElement("size"));
  public static final OfLong size$layout() { return size$LAYOUT; }
  public static final long size$offset() { return size$OFFSET; }
  public static long size(MemorySegment struct) { return struct.get(size$LAYOUT, size$OFFSET); }
  public static void size(MemorySegment struct, long fieldValue) { struct.set(size$LAYOUT, size$OFFSET, fieldValue); }

  private static final AddressLayout insert$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("insert"));
  private static final long insert$OFFSET = $LAYOUT.byteOffset(groupElement("insert"));
  public static final AddressLayout insert$layout() { return insert$LAYOUT; }
  public static final long insert$offset() { return insert$OFFSET; }
  public static MemorySegment insert(MemorySegment struct) { return struct.get(insert$LAYOUT, insert$OFFSET); }
  public static void insert(MemorySegment struct, MemorySegment fieldValue) { struct.set(insert$LAYOUT, insert$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
