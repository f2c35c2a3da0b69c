// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code struct _ibv_device_ops}. */
public class _ibv_device_ops {

  _ibv_device_ops() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_POINTER.withName("_dummy1"),
          verbs_h.C_POINTER.withName("_dummy2"))
          .withName("_ibv_device_ops");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout _dummy1$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_dummy1"));
  private static final long _dummy1$OFFSET = $LAYOUT.byteOffset(groupElement("_dummy1"));
  public static final AddressLayout _dummy1$layout() { return _dummy1$LAYOUT; }
  public static final long _dummy1$offset() { return _dummy1$OFFSET; }
  public static MemorySegment _dummy1(MemorySegment struct) { return struct.get(_dummy1$LAYOUT, _dummy1$OFFSET); }
  public static void _dummy1(MemorySegment struct, MemorySegment fieldValue) { struct.set(_dummy1$LAYOUT, _dummy1$OFFSET, fieldValue); }

  private static final AddressLayout _dummy2$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_dummy2"));
  private static final long _dummy2$OFFSET = $LAYOUT.byteOffset(groupElement("_dummy2"));
  public static final AddressLayout _dummy2$layout() { return _dummy2$LAYOUT; }
  public static final long _dummy2$offset() { return _dummy2$OFFSET; }
  public static MemorySegment _dummy2(MemorySegment struct) { return struct.get(_dummy2$LAYOUT, _dummy2$OFFSET); }
  public static void _dummy2(MemorySegment struct, MemorySegment fieldValue) { struct.set(_dummy2$LAYOUT, _dummy2$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
