// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct ibv_pd}. */
public class ibv_pd {

  ibv_pd() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_POINTER.withName("context"),
          verbs_h.C_INT.withName("handle"),
          MemoryLayout.paddingLayout(4))
          .withName("ibv_pd");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout context$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("context"));
  private static final long context$OFFSET = $LAYOUT.byteOffset(groupElement("context"));
  public static final AddressLayout context$layout() { return context$LAYOUT; }
  public static final long context$offset() { return context$OFFSET; }
  public static MemorySegment context(MemorySegment struct) { return struct.get(context$LAYOUT, context$OFFSET); }
  public static void context(MemorySegment struct, MemorySegment fieldValue) { struct.set(context$LAYOUT, context$OFFSET, fieldValue); }

  private static final OfInt handle$LAYOUT = (OfInt) $LAYOUT.select(groupElement("handle"));
  private static final long handle$OFFSET = $LAYOUT.byteOffset(groupElement("handle"));
  public static final OfInt handle$layout() { return handle$LAYOUT; }
  public static final long handle$offset() { return handle$OFFSET; }
  public static int handle(MemorySegment struct) { return struct.get(handle$LAYOUT, handle$OFFSET); }
  public static void handle(MemorySegment struct, int fieldValue) { struct.set(handle$LAYOUT, handle$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
