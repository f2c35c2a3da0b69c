// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code struct fid_cq}. */
public class fid_cq {

  fid_cq() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          io.nitinol.samples.libfabric.ffi.fid.layout().withName("fid"),
          fabric_h.C_POINTER.withName("ops"))
          .withName("fid_cq");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout ops$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("ops"));
  private static final long ops$OFFSET = $LAYOUT.byteOffset(groupElement("ops"));
  public static final AddressLayout ops$layout() { return ops$LAYOUT; }
  public static final long ops$offset() { return ops$OFFSET; }
  public static MemorySegment ops(MemorySegment struct) { return struct.get(ops$LAYOUT, ops$OFFSET); }
  public static void ops(MemorySegment struct, MemorySegment fieldValue) { struct.set(ops$LAYOUT, ops$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
