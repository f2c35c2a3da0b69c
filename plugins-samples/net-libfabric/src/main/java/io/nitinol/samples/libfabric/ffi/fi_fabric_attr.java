// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct fi_fabric_attr}. */
public class fi_fabric_attr {

  fi_fabric_attr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_POINTER.withName("fabric"),
          fabric_h.C_POINTER.withName("name"),
          fabric_h.C_POINTER.withName("prov_name"),
          fabric_h.C_INT.withName("prov_version"),
          fabric_h.C_INT.withName("api_version"))
          .withName("fi_fabric_attr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout fabric$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("fabric"));
  private static final long fabric$OFFSET = $LAYOUT.byteOffset(groupElement("fabric"));
  public static final AddressLayout fabric$layout() { return fabric$LAYOUT; }
  public static final long fabric$offset() { return fabric$OFFSET; }
  public static MemorySegment fabric(MemorySegment struct) { return struct.get(fabric$LAYOUT, fabric$OFFSET); }
  public static void fabric(MemorySegment struct, MemorySegment fieldValue) { struct.set(fabric$LAYOUT, fabric$OFFSET, fieldValue); }

  private static final AddressLayout name$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("name"));
  private static final long name$OFFSET = $LAYOUT.byteOffset(groupElement("name"));
  public static final AddressLayout name$layout() { return name$LAYOUT; }
  public static final long name$offset() { return name$OFFSET; }
  public static MemorySegment name(MemorySegment struct) { return struct.get(name$LAYOUT, name$OFFSET); }
  public static void name(MemorySegment struct, MemorySegment fieldValue) { struct.set(name$LAYOUT, name$OFFSET, fieldValue); }

  private static final AddressLayout prov_name$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("prov_name"));
  private static final long prov_name$OFFSET = $LAYOUT.byteOffset(groupElement("prov_name"));
  public static final AddressLayout prov_name$layout() { return prov_name$LAYOUT; }
  public static final long prov_name$offset() { return prov_name$OFFSET; }
  public static MemorySegment prov_name(MemorySegment struct) { return struct.get(prov_name$LAYOUT, prov_name$OFFSET); }
  public static void prov_name(MemorySegment struct, MemorySegment fieldValue) { struct.set(prov_name$LAYOUT, prov_name$OFFSET, fieldValue); }

  private static final OfInt prov_version$LAYOUT = (OfInt) $LAYOUT.select(groupElement("prov_version"));
  private static final long prov_version$OFFSET = $LAYOUT.byteOffset(groupElement("prov_version"));
  public static final OfInt prov_version$layout() { return prov_version$LAYOUT; }
  public static final long prov_version$offset() { return prov_version$OFFSET; }
  public static int prov_version(MemorySegment struct) { return struct.get(prov_version$LAYOUT, prov_version$OFFSET); }
  public static void prov_version(MemorySegment struct, int fieldValue) { struct.set(prov_version$LAYOUT, prov_version$OFFSET, fieldValue); }

  private static final OfInt api_version$LAYOUT = (OfInt) $LAYOUT.select(groupElement("api_version"));
  private static final long api_version$OFFSET = $LAYOUT.byteOffset(groupElement("api_version"));
  public static final OfInt api_version$layout() { return api_version$LAYOUT; }
  public static final long api_version$offset() { return api_version$OFFSET; }
  public static int api_version(MemorySegment struct) { return struct.get(api_version$LAYOUT, api_version$OFFSET); }
  public static void api_version(MemorySegment struct, int fieldValue) { struct.set(api_version$LAYOUT, api_version$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
