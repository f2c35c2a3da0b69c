// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;

/** {@code struct fi_link_attr}. */
public class fi_link_attr {

  fi_link_attr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_POINTER.withName("address"),
          fabric_h.C_LONG.withName("mtu"),
          fabric_h.C_LONG.withName("speed"),
          fabric_h.C_INT.withName("state"),
          MemoryLayout.paddingLayout(4),
          fabric_h.C_POINTER.withName("network_type"))
          .withName("fi_link_attr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout address$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("address"));
  private static final long address$OFFSET = $LAYOUT.byteOffset(groupElement("address"));
  public static final AddressLayout address$layout() { return address$LAYOUT; }
  public static final long address$offset() { return address$OFFSET; }
  public static MemorySegment address(MemorySegment struct) { return struct.get(address$LAYOUT, address$OFFSET); }
  public static void address(MemorySegment struct, MemorySegment fieldValue) { struct.set(address$LAYOUT, address$OFFSET, fieldValue); }

  private static final OfLong mtu$LAYOUT = (OfLong) $LAYOUT.select(groupElement("mtu"));
  private static final long mtu$OFFSET = $LAYOUT.byteOffset(groupElement("mtu"));
  public static final OfLong mtu$layout() { return mtu$LAYOUT; }
  public static final long mtu$offset() { return mtu$OFFSET; }
  public static long mtu(MemorySegment struct) { return struct.get(mtu$LAYOUT, mtu$OFFSET); }
  public static void mtu(MemorySegment struct, long fieldValue) { struct.set(mtu$LAYOUT, mtu$OFFSET, fieldValue); }

  private static final OfLong speed$LAYOUT = (OfLong) $LAYOUT.select(groupElement("speed"));
  private static final long speed$OFFSET = $LAYOUT.byteOffset(groupElement("speed"));
  public static final OfLong speed$layout() { return speed$LAYOUT; }
  public static final long speed$offset() { return speed$OFFSET; }
  public static long speed(MemorySegment struct) { return struct.get(speed$LAYOUT, speed$OFFSET); }
  public static void speed(MemorySegment struct, long fieldValue) { struct.set(speed$LAYOUT, speed$OFFSET, fieldValue); }

  private static final OfInt state$LAYOUT = (OfInt) $LAYOUT.select(groupElement("state"));
  private static final long state$OFFSET = $LAYOUT.byteOffset(groupElement("state"));
  public static final OfInt state$layout() { return state$LAYOUT; }
  public static final long state$offset() { return state$OFFSET; }
  public static int state(MemorySegment struct) { return struct.get(state$LAYOUT, state$OFFSET); }
  public static void state(MemorySegment struct, int fieldValue) { struct.set(state$LAYOUT, state$OFFSET, fieldValue); }

  private static final AddressLayout network_type$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("network_type"));
  private static final long network_type$OFFSET = $LAYOUT.byteOffset(groupElement("network_type"));
  public static final AddressLayout network_type$layout() { return network_type$LAYOUT; }
  public static final long network_type$offset() { return network_type$OFFSET; }
  public static MemorySegment network_type(MemorySegment struct) { return struct.get(network_type$LAYOUT, network_type$OFFSET); }
  public static void network_type(MemorySegment struct, MemorySegment fieldValue) { struct.set(network_type$LAYOUT, network_type$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
