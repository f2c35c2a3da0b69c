// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct ibv_comp_channel}. */
public class ibv_comp_channel {

  ibv_comp_channel() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_POINTER.withName("context"),
          verbs_h.C_INT.withName("fd"),
          verbs_h.C_INT.withName("refcnt"))
          .withName("ibv_comp_channel");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout context$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("context"));
  private static final long context$OFFSET = $LAYOUT.byteOffset(groupElement("context"));
  public static final AddressLayout context$layout() { return context$LAYOUT; }
  public static final long context$offset() { return context$OFFSET; }
  public static MemorySegment context(MemorySegment struct) { return struct.get(context$LAYOUT, context$OFFSET); }
  public static void context(MemorySegment struct, MemorySegment fieldValue) { struct.set(context$LAYOUT, context$OFFSET, fieldValue); }

  private static final OfInt fd$LAYOUT = (OfInt) $LAYOUT.select(groupElement("fd"));
  private static final long fd$OFFSET = $LAYOUT.byteOffset(groupElement("fd"));
  public static final OfInt fd$layout() { return fd$LAYOUT; }
  public static final long fd$offset() { return fd$OFFSET; }
  public static int fd(MemorySegment struct) { return struct.get(fd$LAYOUT, fd$OFFSET); }
  public static void fd(MemorySegment struct, int fieldValue) { struct.set(fd$LAYOUT, fd$OFFSET, fieldValue); }

  private static final OfInt refcnt$LAYOUT = (OfInt) $LAYOUT.select(groupElement("refcnt"));
  private static final long refcnt$OFFSET = $LAYOUT.byteOffset(groupElement("refcnt"));
  public static final OfInt refcnt$layout() { return refcnt$LAYOUT; }
  public static final long refcnt$offset() { return refcnt$OFFSET; }
  public static int refcnt(MemorySegment struct) { return struct.get(refcnt$LAYOUT, refcnt$OFFSET); }
  public static void refcnt(MemorySegment struct, int fieldValue) { struct.set(refcnt$LAYOUT, refcnt$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
