// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfLong;

/** {@code struct fid_mr}. */
public class fid_mr {

  fid_mr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          io.nitinol.samples.libfabric.ffi.fid.layout().withName("fid"),
          fabric_h.C_POINTER.withName("mem_desc"),
          fabric_h.C_LONG.withName("key"))
          .withName("fid_mr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout mem_desc$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("mem_desc"));
  private static final long mem_desc$OFFSET = $LAYOUT.byteOffset(groupElement("mem_desc"));
  public static final AddressLayout mem_desc$layout() { return mem_desc$LAYOUT; }
  public static final long mem_desc$offset() { return mem_desc$OFFSET; }
  public static MemorySegment mem_desc(MemorySegment struct) { return struct.get(mem_desc$LAYOUT, mem_desc$OFFSET); }
  public static void mem_desc(MemorySegment struct, MemorySegment fieldValue) { struct.set(mem_desc$LAYOUT, mem_desc$OFFSET, fieldValue); }

  private static final OfLong key$LAYOUT = (OfLong) $LAYOUT.select(groupElement("key"));
  private static final long key$OFFSET = $LAYOUT.byteOffset(groupElement("key"));
  public static final OfLong key$layout() { return key$LAYOUT; }
  public static final long key$offset() { return key$OFFSET; }
  public static long key(MemorySegment struct) { return struct.get(key$LAYOUT, key$OFFSET); }
  public static void key(MemorySegment struct, long fieldValue) { struct.set(key$LAYOUT, key$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
