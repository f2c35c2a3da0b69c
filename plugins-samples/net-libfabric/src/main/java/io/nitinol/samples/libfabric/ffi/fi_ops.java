// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfLong;

/** {@code struct fi_ops}. */
public class fi_ops {

  fi_ops() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_LONG.withName("size"),
          fabric_h.C_POINTER.withName("close"),
          fabric_h.C_POINTER.withName("bind"),
          fabric_h.C_POINTER.withName("control"),
          fabric_h.C_POINTER.withName("ops_open"),
          fabric_h.C_POINTER.withName("tostr"),
          fabric_h.C_POINTER.withName("ops_set"))
          .withName("fi_ops");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("size"));
  private static final long size$OFFSET = $LAYOUT.byteOffset(groupElement("size"));
  public static final OfLong size$layout() { return size$LAYOUT; }
  public static final long size$offset() { return size$OFFSET; }
  public static long size(MemorySegment struct) { return struct.get(size$LAYOUT, size$OFFSET); }
  public static void size(MemorySegment struct, long fieldValue) { struct.set(size$LAYOUT, size$OFFSET, fieldValue); }

  private static final AddressLayout close$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("close"));
  private static final long close$OFFSET = $LAYOUT.byteOffset(groupElement("close"));
  public static final AddressLayout close$layout() { return close$LAYOUT; }
  public static final long close$offset() { return close$OFFSET; }
  public static MemorySegment close(MemorySegment struct) { return struct.get(close$LAYOUT, close$OFFSET); }
  public static void close(MemorySegment struct, MemorySegment fieldValue) { struct.set(close$LAYOUT, close$OFFSET, fieldValue); }

  private static final AddressLayout bind$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("bind"));
  private static final long bind$OFFSET = $LAYOUT.byteOffset(groupElement("bind"));
  public static final AddressLayout bind$layout() { return bind$LAYOUT; }
  public static final long bind$offset() { return bind$OFFSET; }
  public static MemorySegment bind(MemorySegment struct) { return struct.get(bind$LAYOUT, bind$OFFSET); }
  public static void bind(MemorySegment struct, MemorySegment fieldValue) { struct.set(bind$LAYOUT, bind$OFFSET, fieldValue); }

  private static final AddressLayout control$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("control"));
  private static final long control$OFFSET = $LAYOUT.byteOffset(groupElement("control"));
  public static final AddressLayout control$layout() { return control$LAYOUT; }
  public static final long control$offset() { return control$OFFSET; }
  public static MemorySegment control(MemorySegment struct) { return struct.get(control$LAYOUT, control$OFFSET); }
  public static void control(MemorySegment struct, MemorySegment fieldValue) { struct.set(control$LAYOUT, control$OFFSET, fieldValue); }

  private static final AddressLayout ops_open$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("ops_open"));
  private static final long ops_open$OFFSET = $LAYOUT.byteOffset(groupElement("ops_open"));
  public static final AddressLayout ops_open$layout() { return ops_open$LAYOUT; }
  public static final long ops_open$offset() { return ops_open$OFFSET; }
  public static MemorySegment ops_open(MemorySegment struct) { return struct.get(ops_open$LAYOUT, ops_open$OFFSET); }
  public static void ops_open(MemorySegment struct, MemorySegment fieldValue) { struct.set(ops_open$LAYOUT, ops_open$OFFSET, fieldValue); }

  private static final AddressLayout tostr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("tostr"));
  private static final long tostr$OFFSET = $LAYOUT.byteOffset(groupElement("tostr"));
  public static final AddressLayout tostr$layout() { return tostr$LAYOUT; }
  public static final long tostr$offset() { return tostr$OFFSET; }
  public static MemorySegment tostr(MemorySegment struct) { return struct.get(tostr$LAYOUT, tostr$OFFSET); }
  public static void tostr(MemorySegment struct, MemorySegment fieldValue) { struct.set(tostr$LAYOUT, tostr$OFFSET, fieldValue); }

  private static final AddressLayout ops_set$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("ops_set"));
  private static final long ops_set$OFFSET = $LAYOUT.byteOffset(groupElement("ops_set"));
  public static final AddressLayout ops_set$layout() { return ops_set$LAYOUT; }
  public static final long ops_set$offset() { return ops_set$OFFSET; }
  public static MemorySegment ops_set(MemorySegment struct) { return struct.get(ops_set$LAYOUT, ops_set$OFFSET); }
  public static void ops_set(MemorySegment struct, MemorySegment fieldValue) { struct.set(ops_set$LAYOUT, ops_set$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
