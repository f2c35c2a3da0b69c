// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfLong;

/** The beginning of {@code struct fi_ops_cm}. */
public class fi_ops_cm {

  fi_ops_cm() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_LONG.withName("size"),
          fabric_h.C_POINTER.withName("setname"),
          fabric_h.C_POINTER.withName("getname"))
          .withName("fi_ops_cm");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("size"));
  private static final long size$OFFSET = $LAYOUT.byteOffset(groupElement("size"));
  public static final OfLong size$layout() { return size$LAYOUT; }
  public static final long size$offset() { return size$OFFSET; }
  public static long size(MemorySegment struct) { return struct.get(size$LAYOUT, size$OFFSET); }
  public static void size(MemorySegment struct, long fieldValue) { struct.set(size$LAYOUT, size$OFFSET, fieldValue); }

  private static final AddressLayout setname$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("setname"));
  private static final long setname$OFFSET = $LAYOUT.byteOffset(groupElement("setname"));
  public static final AddressLayout setname$layout() { return setname$LAYOUT; }
  public static final long setname$offset() { return setname$OFFSET; }
  public static MemorySegment setname(MemorySegment struct) { return struct.get(setname$LAYOUT, setname$OFFSET); }
  public static void setname(MemorySegment struct, MemorySegment fieldValue) { struct.set(setname$LAYOUT, setname$OFFSET, fieldValue); }

  private static final AddressLayout getname$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("getname"));
  private static final long getname$OFFSET = $LAYOUT.byteOffset(groupElement("getname"));
  public static final AddressLayout getname$layout() { return getname$LAYOUT; }
  public static final long getname$offset() { return getname$OFFSET; }
  public static MemorySegment getname(MemorySegment struct) { return struct.get(getname$LAYOUT, getname$OFFSET); }
  public static void getname(MemorySegment struct, MemorySegment fieldValue) { struct.set(getname$LAYOUT, getname$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
