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

/** {@code struct fi_av_attr}. */
public class fi_av_attr {

  fi_av_attr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_INT.withName("type"),
          fabric_h.C_INT.withName("rx_ctx_bits"),
          fabric_h.C_LONG.withName("count"),
          fabric_h.C_LONG.withName("ep_per_node"),
          fabric_h.C_POINTER.withName("name"),
          fabric_h.C_POINTER.withName("map_addr"),
          fabric_h.C_LONG.withName("flags"))
          .withName("fi_av_attr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfInt type$LAYOUT = (OfInt) $LAYOUT.select(groupElement("type"));
  private static final long type$OFFSET = $LAYOUT.byteOffset(groupElement("type"));
  public static final OfInt type$layout() { return type$LAYOUT; }
  public static final long type$offset() { return type$OFFSET; }
  public static int type(MemorySegment struct) { return struct.get(type$LAYOUT, type$OFFSET); }
  public static void type(MemorySegment struct, int fieldValue) { struct.set(type$LAYOUT, type$OFFSET, fieldValue); }

  private static final OfInt rx_ctx_bits$LAYOUT = (OfInt) $LAYOUT.select(groupElement("rx_ctx_bits"));
  private static final long rx_ctx_bits$OFFSET = $LAYOUT.byteOffset(groupElement("rx_ctx_bits"));
  public static final OfInt rx_ctx_bits$layout() { return rx_ctx_bits$LAYOUT; }
  public static final long rx_ctx_bits$offset() { return rx_ctx_bits$OFFSET; }
  public static int rx_ctx_bits(MemorySegment struct) { return struct.get(rx_ctx_bits$LAYOUT, rx_ctx_bits$OFFSET); }
  public static void rx_ctx_bits(MemorySegment struct, int fieldValue) { struct.set(rx_ctx_bits$LAYOUT, rx_ctx_bits$OFFSET, fieldValue); }

  private static final OfLong count$LAYOUT = (OfLong) $LAYOUT.select(groupElement("count"));
  private static final long count$OFFSET = $LAYOUT.byteOffset(groupElement("count"));
  public static final OfLong count$layout() { return count$LAYOUT; }
  public static final long count$offset() { return count$OFFSET; }
  public static long count(MemorySegment struct) { return struct.get(count$LAYOUT, count$OFFSET); }
  public static void count(MemorySegment struct, long fieldValue) { struct.set(count$LAYOUT, count$OFFSET, fieldValue); }

  private static final OfLong ep_per_node$LAYOUT = (OfLong) $LAYOUT.select(groupElement("ep_per_node"));
  private static final long ep_per_node$OFFSET = $LAYOUT.byteOffset(groupElement("ep_per_node"));
  public static final OfLong ep_per_node$layout() { return ep_per_node$LAYOUT; }
  public static final long ep_per_node$offset() { return ep_per_node$OFFSET; }
  public static long ep_per_node(MemorySegment struct) { return struct.get(ep_per_node$LAYOUT, ep_per_node$OFFSET); }
  public static void ep_per_node(MemorySegment struct, long fieldValue) { struct.set(ep_per_node$LAYOUT, ep_per_node$OFFSET, fieldValue); }

  private static final AddressLayout name$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("name"));
  private static final long name$OFFSET = $LAYOUT.byteOffset(groupElement("name"));
  public static final AddressLayout name$layout() { return name$LAYOUT; }
  public static final long name$offset() { return name$OFFSET; }
  public static MemorySegment name(MemorySegment struct) { return struct.get(name$LAYOUT, name$OFFSET); }
  public static void name(MemorySegment struct, MemorySegment fieldValue) { struct.set(name$LAYOUT, name$OFFSET, fieldValue); }

  private static final AddressLayout map_addr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("map_addr"));
  private static final long map_addr$OFFSET = $LAYOUT.byteOffset(groupElement("map_addr"));
  public static final AddressLayout map_addr$layout() { return map_addr$LAYOUT; }
  public static final long map_addr$offset() { return map_addr$OFFSET; }
  public static MemorySegment map_addr(MemorySegment struct) { return struct.get(map_addr$LAYOUT, map_addr$OFFSET); }
  public static void map_addr(MemorySegment struct, MemorySegment fieldValue) { struct.set(map_addr$LAYOUT, map_addr$OFFSET, fieldValue); }

  private static final OfLong flags$LAYOUT = (OfLong) $LAYOUT.select(groupElement("flags"));
  private static final long flags$OFFSET = $LAYOUT.byteOffset(groupElement("flags"));
  public static final OfLong flags$layout() { return flags$LAYOUT; }
  public static final long flags$offset() { return flags$OFFSET; }
  public static long flags(MemorySegment struct) { return struct.get(flags$LAYOUT, flags$OFFSET); }
  public static void flags(MemorySegment struct, long fieldValue) { struct.set(flags$LAYOUT, flags$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
