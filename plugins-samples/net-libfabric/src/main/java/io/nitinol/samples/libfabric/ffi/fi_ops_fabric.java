// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfLong;

/** {@code struct fi_ops_fabric}. */
public class fi_ops_fabric {

  fi_ops_fabric() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_LONG.withName("size"),
          fabric_h.C_POINTER.withName("domain"),
          fabric_h.C_POINTER.withName("passive_ep"),
          fabric_h.C_POINTER.withName("eq_open"),
          fabric_h.C_POINTER.withName("wait_open"),
          fabric_h.C_POINTER.withName("trywait"),
          fabric_h.C_POINTER.withName("domain2"))
          .withName("fi_ops_fabric");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("size"));
  private static final long size$OFFSET = $LAYOUT.byteOffset(groupElement("size"));
  public static final OfLong size$layout() { return size$LAYOUT; }
  public static final long size$offset() { return size$OFFSET; }
  public static long size(MemorySegment struct) { return struct.get(size$LAYOUT, size$OFFSET); }
  public static void size(MemorySegment struct, long fieldValue) { struct.set(size$LAYOUT, size$OFFSET, fieldValue); }

  private static final AddressLayout domain$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("domain"));
  private static final long domain$OFFSET = $LAYOUT.byteOffset(groupElement("domain"));
  public static final AddressLayout domain$layout() { return domain$LAYOUT; }
  public static final long domain$offset() { return domain$OFFSET; }
  public static MemorySegment domain(MemorySegment struct) { return struct.get(domain$LAYOUT, domain$OFFSET); }
  public static void domain(MemorySegment struct, MemorySegment fieldValue) { struct.set(domain$LAYOUT, domain$OFFSET, fieldValue); }

  private static final AddressLayout passive_ep$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("passive_ep"));
  private static final long passive_ep$OFFSET = $LAYOUT.byteOffset(groupElement("passive_ep"));
  public static final AddressLayout passive_ep$layout() { return passive_ep$LAYOUT; }
  public static final long passive_ep$offset() { return passive_ep$OFFSET; }
  public static MemorySegment passive_ep(MemorySegment struct) { return struct.get(passive_ep$LAYOUT, passive_ep$OFFSET); }
  public static void passive_ep(MemorySegment struct, MemorySegment fieldValue) { struct.set(passive_ep$LAYOUT, passive_ep$OFFSET, fieldValue); }

  private static final AddressLayout eq_open$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("eq_open"));
  private static final long eq_open$OFFSET = $LAYOUT.byteOffset(groupElement("eq_open"));
  public static final AddressLayout eq_open$layout() { return eq_open$LAYOUT; }
  public static final long eq_open$offset() { return eq_open$OFFSET; }
  public static MemorySegment eq_open(MemorySegment struct) { return struct.get(eq_open$LAYOUT, eq_open$OFFSET); }
  public static void eq_open(MemorySegment struct, MemorySegment fieldValue) { struct.set(eq_open$LAYOUT, eq_open$OFFSET, fieldValue); }

  private static final AddressLayout wait_open$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("wait_open"));
  private static final long wait_open$OFFSET = $LAYOUT.byteOffset(groupElement("wait_open"));
  public static final AddressLayout wait_open$layout() { return wait_open$LAYOUT; }
  public static final long wait_open$offset() { return wait_open$OFFSET; }
  public static MemorySegment wait_open(MemorySegment struct) { return struct.get(wait_open$LAYOUT, wait_open$OFFSET); }
  public static void wait_open(MemorySegment struct, MemorySegment fieldValue) { struct.set(wait_open$LAYOUT, wait_open$OFFSET, fieldValue); }

  private static final AddressLayout trywait$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("trywait"));
  private static final long trywait$OFFSET = $LAYOUT.byteOffset(groupElement("trywait"));
  public static final AddressLayout trywait$layout() { return trywait$LAYOUT; }
  public static final long trywait$offset() { return trywait$OFFSET; }
  public static MemorySegment trywait(MemorySegment struct) { return struct.get(trywait$LAYOUT, trywait$OFFSET); }
  public static void trywait(MemorySegment struct, MemorySegment fieldValue) { struct.set(trywait$LAYOUT, trywait$OFFSET, fieldValue); }

  private static final AddressLayout domain2$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("domain2"));
  private static final long domain2$OFFSET = $LAYOUT.byteOffset(groupElement("domain2"));
  public static final AddressLayout domain2$layout() { return domain2$LAYOUT; }
  public static final long domain2$offset() { return domain2$OFFSET; }
  public static MemorySegment domain2(MemorySegment struct) { return struct.get(domain2$LAYOUT, domain2$OFFSET); }
  public static void domain2(MemorySegment struct, MemorySegment fieldValue) { struct.set(domain2$LAYOUT, domain2$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
