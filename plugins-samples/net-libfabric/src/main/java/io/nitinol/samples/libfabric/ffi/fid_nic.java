// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code struct fid_nic}. */
public class fid_nic {

  fid_nic() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          io.nitinol.samples.libfabric.ffi.fid.layout().withName("fid"),
          fabric_h.C_POINTER.withName("device_attr"),
          fabric_h.C_POINTER.withName("bus_attr"),
          fabric_h.C_POINTER.withName("link_attr"),
          fabric_h.C_POINTER.withName("prov_attr"))
          .withName("fid_nic");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout device_attr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("device_attr"));
  private static final long device_attr$OFFSET = $LAYOUT.byteOffset(groupElement("device_attr"));
  public static final AddressLayout device_attr$layout() { return device_attr$LAYOUT; }
  public static final long device_attr$offset() { return device_attr$OFFSET; }
  public static MemorySegment device_attr(MemorySegment struct) { return struct.get(device_attr$LAYOUT, device_attr$OFFSET); }
  public static void device_attr(MemorySegment struct, MemorySegment fieldValue) { struct.set(device_attr$LAYOUT, device_attr$OFFSET, fieldValue); }

  private static final AddressLayout bus_attr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("bus_attr"));
  private static final long bus_attr$OFFSET = $LAYOUT.byteOffset(groupElement("bus_attr"));
  public static final AddressLayout bus_attr$layout() { return bus_attr$LAYOUT; }
  public static final long bus_attr$offset() { return bus_attr$OFFSET; }
  public static MemorySegment bus_attr(MemorySegment struct) { return struct.get(bus_attr$LAYOUT, bus_attr$OFFSET); }
  public static void bus_attr(MemorySegment struct, MemorySegment fieldValue) { struct.set(bus_attr$LAYOUT, bus_attr$OFFSET, fieldValue); }

  private static final AddressLayout link_attr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("link_attr"));
  private static final long link_attr$OFFSET = $LAYOUT.byteOffset(groupElement("link_attr"));
  public static final AddressLayout link_attr$layout() { return link_attr$LAYOUT; }
  public static final long link_attr$offset() { return link_attr$OFFSET; }
  public static MemorySegment link_attr(MemorySegment struct) { return struct.get(link_attr$LAYOUT, link_attr$OFFSET); }
  public static void link_attr(MemorySegment struct, MemorySegment fieldValue) { struct.set(link_attr$LAYOUT, link_attr$OFFSET, fieldValue); }

  private static final AddressLayout prov_attr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("prov_attr"));
  private static final long prov_attr$OFFSET = $LAYOUT.byteOffset(groupElement("prov_attr"));
  public static final AddressLayout prov_attr$layout() { return prov_attr$LAYOUT; }
  public static final long prov_attr$offset() { return prov_attr$OFFSET; }
  public static MemorySegment prov_attr(MemorySegment struct) { return struct.get(prov_attr$LAYOUT, prov_attr$OFFSET); }
  public static void prov_attr(MemorySegment struct, MemorySegment fieldValue) { struct.set(prov_attr$LAYOUT, prov_attr$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
