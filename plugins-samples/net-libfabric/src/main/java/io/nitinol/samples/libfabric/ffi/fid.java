// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfLong;

/** {@code struct fid}. */
public class fid {

  fid() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_LONG.withName("fclass"),
          fabric_h.C_POINTER.withName("context"),
          fabric_h.C_POINTER.withName("ops"))
          .withName("fid");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong fclass$LAYOUT = (OfLong) $LAYOUT.select(groupElement("fclass"));
  private static final long fclass$OFFSET = $LAYOUT.byteOffset(groupElement("fclass"));
  public static final OfLong fclass$layout() { return fclass$LAYOUT; }
  public static final long fclass$offset() { return fclass$OFFSET; }
  public static long fclass(MemorySegment struct) { return struct.get(fclass$LAYOUT, fclass$OFFSET); }
  public static void fclass(MemorySegment struct, long fieldValue) { struct.set(fclass$LAYOUT, fclass$OFFSET, fieldValue); }

  private static final AddressLayout context$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("context"));
  private static final long context$OFFSET = $LAYOUT.byteOffset(groupElement("context"));
  public static final AddressLayout context$layout() { return context$LAYOUT; }
  public static final long context$offset() { return context$OFFSET; }
  public static MemorySegment context(MemorySegment struct) { return struct.get(context$LAYOUT, context$OFFSET); }
  public static void context(MemorySegment struct, MemorySegment fieldValue) { struct.set(context$LAYOUT, context$OFFSET, fieldValue); }

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
