// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfLong;

/** {@code struct fi_ops_cq}. */
public class fi_ops_cq {

  fi_ops_cq() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_LONG.withName("size"),
          fabric_h.C_POINTER.withName("read"),
          fabric_h.C_POINTER.withName("readfrom"),
          fabric_h.C_POINTER.withName("readerr"),
          fabric_h.C_POINTER.withName("sread"),
          fabric_h.C_POINTER.withName("sreadfrom"),
          fabric_h.C_POINTER.withName("signal"),
          fabric_h.C_POINTER.withName("strerror"))
          .withName("fi_ops_cq");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("size"));
  private static final long size$OFFSET = $LAYOUT.byteOffset(groupElement("size"));
  public static final OfLong size$layout() { return size$LAYOUT; }
  public static final long size$offset() { return size$OFFSET; }
  public static long size(MemorySegment struct) { return struct.get(size$LAYOUT, size$OFFSET); }
  public static void size(MemorySegment struct, long fieldValue) { struct.set(size$LAYOUT, size$OFFSET, fieldValue); }

  private static final AddressLayout read$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("read"));
  private static final long read$OFFSET = $LAYOUT.byteOffset(groupElement("read"));
  public static final AddressLayout read$layout() { return read$LAYOUT; }
  public static final long read$offset() { return read$OFFSET; }
  public static MemorySegment read(MemorySegment struct) { return struct.get(read$LAYOUT, read$OFFSET); }
  public static void read(MemorySegment struct, MemorySegment fieldValue) { struct.set(read$LAYOUT, read$OFFSET, fieldValue); }

  private static final AddressLayout readfrom$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("readfrom"));
  private static final long readfrom$OFFSET = $LAYOUT.byteOffset(groupElement("readfrom"));
  public static final AddressLayout readfrom$layout() { return readfrom$LAYOUT; }
  public static final long readfrom$offset() { return readfrom$OFFSET; }
  public static MemorySegment readfrom(MemorySegment struct) { return struct.get(readfrom$LAYOUT, readfrom$OFFSET); }
  public static void readfrom(MemorySegment struct, MemorySegment fieldValue) { struct.set(readfrom$LAYOUT, readfrom$OFFSET, fieldValue); }

  private static final AddressLayout readerr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("readerr"));
  private static final long readerr$OFFSET = $LAYOUT.byteOffset(groupElement("readerr"));
  public static final AddressLayout readerr$layout() { return readerr$LAYOUT; }
  public static final long readerr$offset() { return readerr$OFFSET; }
  public static MemorySegment readerr(MemorySegment struct) { return struct.get(readerr$LAYOUT, readerr$OFFSET); }
  public static void readerr(MemorySegment struct, MemorySegment fieldValue) { struct.set(readerr$LAYOUT, readerr$OFFSET, fieldValue); }

  private static final AddressLayout sread$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("sread"));
  private static final long sread$OFFSET = $LAYOUT.byteOffset(groupElement("sread"));
  public static final AddressLayout sread$layout() { return sread$LAYOUT; }
  public static final long sread$offset() { return sread$OFFSET; }
  public static MemorySegment sread(MemorySegment struct) { return struct.get(sread$LAYOUT, sread$OFFSET); }
  public static void sread(MemorySegment struct, MemorySegment fieldValue) { struct.set(sread$LAYOUT, sread$OFFSET, fieldValue); }

  private static final AddressLayout sreadfrom$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("sreadfrom"));
  private static final long sreadfrom$OFFSET = $LAYOUT.byteOffset(groupElement("sreadfrom"));
  public static final AddressLayout sreadfrom$layout() { return sreadfrom$LAYOUT; }
  public static final long sreadfrom$offset() { return sreadfrom$OFFSET; }
  public static MemorySegment sreadfrom(MemorySegment struct) { return struct.get(sreadfrom$LAYOUT, sreadfrom$OFFSET); }
  public static void sreadfrom(MemorySegment struct, MemorySegment fieldValue) { struct.set(sreadfrom$LAYOUT, sreadfrom$OFFSET, fieldValue); }

  private static final AddressLayout signal$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("signal"));
  private static final long signal$OFFSET = $LAYOUT.byteOffset(groupElement("signal"));
  public static final AddressLayout signal$layout() { return signal$LAYOUT; }
  public static final long signal$offset() { return signal$OFFSET; }
  public static MemorySegment signal(MemorySegment struct) { return struct.get(signal$LAYOUT, signal$OFFSET); }
  public static void signal(MemorySegment struct, MemorySegment fieldValue) { struct.set(signal$LAYOUT, signal$OFFSET, fieldValue); }

  private static final AddressLayout strerror$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("strerror"));
  private static final long strerror$OFFSET = $LAYOUT.byteOffset(groupElement("strerror"));
  public static final AddressLayout strerror$layout() { return strerror$LAYOUT; }
  public static final long strerror$offset() { return strerror$OFFSET; }
  public static MemorySegment strerror(MemorySegment struct) { return struct.get(strerror$LAYOUT, strerror$OFFSET); }
  public static void strerror(MemorySegment struct, MemorySegment fieldValue) { struct.set(strerror$LAYOUT, strerror$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
