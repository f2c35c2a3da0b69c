// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct ibv_gid_entry}. */
public class ibv_gid_entry {

  ibv_gid_entry() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          ibv_gid.layout().withName("gid"),
          verbs_h.C_INT.withName("gid_index"),
          verbs_h.C_INT.withName("port_num"),
          verbs_h.C_INT.withName("gid_type"),
          verbs_h.C_INT.withName("ndev_ifindex"))
          .withName("ibv_gid_entry");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final GroupLayout gid$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("gid"));
  private static final long gid$OFFSET = $LAYOUT.byteOffset(groupElement("gid"));
  public static final GroupLayout gid$layout() { return gid$LAYOUT; }
  public static final long gid$offset() { return gid$OFFSET; }
  public static MemorySegment gid(MemorySegment struct) { return struct.asSlice(gid$OFFSET, gid$LAYOUT.byteSize()); }
  public static void gid(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, gid$OFFSET, gid$LAYOUT.byteSize()); }

  private static final OfInt gid_index$LAYOUT = (OfInt) $LAYOUT.select(groupElement("gid_index"));
  private static final long gid_index$OFFSET = $LAYOUT.byteOffset(groupElement("gid_index"));
  public static final OfInt gid_index$layout() { return gid_index$LAYOUT; }
  public static final long gid_index$offset() { return gid_index$OFFSET; }
  public static int gid_index(MemorySegment struct) { return struct.get(gid_index$LAYOUT, gid_index$OFFSET); }
  public static void gid_index(MemorySegment struct, int fieldValue) { struct.set(gid_index$LAYOUT, gid_index$OFFSET, fieldValue); }

  private static final OfInt port_num$LAYOUT = (OfInt) $LAYOUT.select(groupElement("port_num"));
  private static final long port_num$OFFSET = $LAYOUT.byteOffset(groupElement("port_num"));
  public static final OfInt port_num$layout() { return port_num$LAYOUT; }
  public static final long port_num$offset() { return port_num$OFFSET; }
  public static int port_num(MemorySegment struct) { return struct.get(port_num$LAYOUT, port_num$OFFSET); }
  public static void port_num(MemorySegment struct, int fieldValue) { struct.set(port_num$LAYOUT, port_num$OFFSET, fieldValue); }

  private static final OfInt gid_type$LAYOUT = (OfInt) $LAYOUT.select(groupElement("gid_type"));
  private static final long gid_type$OFFSET = $LAYOUT.byteOffset(groupElement("gid_type"));
  public static final OfInt gid_type$layout() { return gid_type$LAYOUT; }
  public static final long gid_type$offset() { return gid_type$OFFSET; }
  public static int gid_type(MemorySegment struct) { return struct.get(gid_type$LAYOUT, gid_type$OFFSET); }
  public static void gid_type(MemorySegment struct, int fieldValue) { struct.set(gid_type$LAYOUT, gid_type$OFFSET, fieldValue); }

  private static final OfInt ndev_ifindex$LAYOUT = (OfInt) $LAYOUT.select(groupElement("ndev_ifindex"));
  private static final long ndev_ifindex$OFFSET = $LAYOUT.byteOffset(groupElement("ndev_ifindex"));
  public static final OfInt ndev_ifindex$layout() { return ndev_ifindex$LAYOUT; }
  public static final long ndev_ifindex$offset() { return ndev_ifindex$OFFSET; }
  public static int ndev_ifindex(MemorySegment struct) { return struct.get(ndev_ifindex$LAYOUT, ndev_ifindex$OFFSET); }
  public static void ndev_ifindex(MemorySegment struct, int fieldValue) { struct.set(ndev_ifindex$LAYOUT, ndev_ifindex$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
