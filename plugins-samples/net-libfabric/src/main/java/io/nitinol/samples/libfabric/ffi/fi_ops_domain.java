// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfLong;

/** The beginning of {@code struct fi_ops_domain}. */
public class fi_ops_domain {

  fi_ops_domain() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_LONG.withName("size"),
          fabric_h.C_POINTER.withName("av_open"),
          fabric_h.C_POINTER.withName("cq_open"),
          fabric_h.C_POINTER.withName("endpoint"))
          .withName("fi_ops_domain");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("size"));
  private static final long size$OFFSET = $LAYOUT.byteOffset(groupElement("size"));
  public static final OfLong size$layout() { return size$LAYOUT; }
  public static final long size$offset() { return size$OFFSET; }
  public static long size(MemorySegment struct) { return struct.get(size$LAYOUT, size$OFFSET); }
  public static void size(MemorySegment struct, long fieldValue) { struct.set(size$LAYOUT, size$OFFSET, fieldValue); }

  private static final AddressLayout av_open$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("av_open"));
  private static final long av_open$OFFSET = $LAYOUT.byteOffset(groupElement("av_open"));
  public static final AddressLayout av_open$layout() { return av_open$LAYOUT; }
  public static final long av_open$offset() { return av_open$OFFSET; }
  public static MemorySegment av_open(MemorySegment struct) { return struct.get(av_open$LAYOUT, av_open$OFFSET); }
  public static void av_open(MemorySegment struct, MemorySegment fieldValue) { struct.set(av_open$LAYOUT, av_open$OFFSET, fieldValue); }

  private static final AddressLayout cq_open$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("cq_open"));
  private static final long cq_open$OFFSET = $LAYOUT.byteOffset(groupElement("cq_open"));
  public static final AddressLayout cq_open$layout() { return cq_open$LAYOUT; }
  public static final long cq_open$offset() { return cq_open$OFFSET; }
  public static MemorySegment cq_open(MemorySegment struct) { return struct.get(cq_open$LAYOUT, cq_open$OFFSET); }
  public static void cq_open(MemorySegment struct, MemorySegment fieldValue) { struct.set(cq_open$LAYOUT, cq_open$OFFSET, fieldValue); }

  private static final AddressLayout endpoint$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("endpoint"));
  private static final long endpoint$OFFSET = $LAYOUT.byteOffset(groupElement("endpoint"));
  public static final AddressLayout endpoint$layout() { return endpoint$LAYOUT; }
  public static final long endpoint$offset() { return endpoint$OFFSET; }
  public static MemorySegment endpoint(MemorySegment struct) { return struct.get(endpoint$LAYOUT, endpoint$OFFSET); }
  public static void endpoint(MemorySegment struct, MemorySegment fieldValue) { struct.set(endpoint$LAYOUT, endpoint$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
