// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfLong;

/** {@code struct fi_rx_attr}. */
public class fi_rx_attr {

  fi_rx_attr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_LONG.withName("caps"),
          fabric_h.C_LONG.withName("mode"),
          fabric_h.C_LONG.withName("op_flags"),
          fabric_h.C_LONG.withName("msg_order"),
          fabric_h.C_LONG.withName("comp_order"),
          fabric_h.C_LONG.withName("total_buffered_recv"),
          fabric_h.C_LONG.withName("size"),
          fabric_h.C_LONG.withName("iov_limit"))
          .withName("fi_rx_attr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong caps$LAYOUT = (OfLong) $LAYOUT.select(groupElement("caps"));
  private static final long caps$OFFSET = $LAYOUT.byteOffset(groupElement("caps"));
  public static final OfLong caps$layout() { return caps$LAYOUT; }
  public static final long caps$offset() { return caps$OFFSET; }
  public static long caps(MemorySegment struct) { return struct.get(caps$LAYOUT, caps$OFFSET); }
  public static void caps(MemorySegment struct, long fieldValue) { struct.set(caps$LAYOUT, caps$OFFSET, fieldValue); }

  private static final OfLong mode$LAYOUT = (OfLong) $LAYOUT.select(groupElement("mode"));
  private static final long mode$OFFSET = $LAYOUT.byteOffset(groupElement("mode"));
  public static final OfLong mode$layout() { return mode$LAYOUT; }
  public static final long mode$offset() { return mode$OFFSET; }
  public static long mode(MemorySegment struct) { return struct.get(mode$LAYOUT, mode$OFFSET); }
  public static void mode(MemorySegment struct, long fieldValue) { struct.set(mode$LAYOUT, mode$OFFSET, fieldValue); }

  private static final OfLong op_flags$LAYOUT = (OfLong) $LAYOUT.select(groupElement("op_flags"));
  private static final long op_flags$OFFSET = $LAYOUT.byteOffset(groupElement("op_flags"));
  public static final OfLong op_flags$layout() { return op_flags$LAYOUT; }
  public static final long op_flags$offset() { return op_flags$OFFSET; }
  public static long op_flags(MemorySegment struct) { return struct.get(op_flags$LAYOUT, op_flags$OFFSET); }
  public static void op_flags(MemorySegment struct, long fieldValue) { struct.set(op_flags$LAYOUT, op_flags$OFFSET, fieldValue); }

  private static final OfLong msg_order$LAYOUT = (OfLong) $LAYOUT.select(groupElement("msg_order"));
  private static final long msg_order$OFFSET = $LAYOUT.byteOffset(groupElement("msg_order"));
  public static final OfLong msg_order$layout() { return msg_order$LAYOUT; }
  public static final long msg_order$offset() { return msg_order$OFFSET; }
  public static long msg_order(MemorySegment struct) { return struct.get(msg_order$LAYOUT, msg_order$OFFSET); }
  public static void msg_order(MemorySegment struct, long fieldValue) { struct.set(msg_order$LAYOUT, msg_order$OFFSET, fieldValue); }

  private static final OfLong comp_order$LAYOUT = (OfLong) $LAYOUT.select(groupElement("comp_order"));
  private static final long comp_order$OFFSET = $LAYOUT.byteOffset(groupElement("comp_order"));
  public static final OfLong comp_order$layout() { return comp_order$LAYOUT; }
  public static final long comp_order$offset() { return comp_order$OFFSET; }
  public static long comp_order(MemorySegment struct) { return struct.get(comp_order$LAYOUT, comp_order$OFFSET); }
  public static void comp_order(MemorySegment struct, long fieldValue) { struct.set(comp_order$LAYOUT, comp_order$OFFSET, fieldValue); }

  private static final OfLong total_buffered_recv$LAYOUT = (OfLong) $LAYOUT.select(groupElement("total_buffered_recv"));
  private static final long total_buffered_recv$OFFSET = $LAYOUT.byteOffset(groupElement("total_buffered_recv"));
  public static final OfLong total_buffered_recv$layout() { return total_buffered_recv$LAYOUT; }
  public static final long total_buffered_recv$offset() { return total_buffered_recv$OFFSET; }
  public static long total_buffered_recv(MemorySegment struct) { return struct.get(total_buffered_recv$LAYOUT, total_buffered_recv$OFFSET); }
  public static void total_buffered_recv(MemorySegment struct, long fieldValue) { struct.set(total_buffered_recv$LAYOUT, total_buffered_recv$OFFSET, fieldValue); }

  private static final OfLong size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("size"));
  private static final long size$OFFSET = $LAYOUT.byteOffset(groupElement("size"));
  public static final OfLong size$layout() { return size$LAYOUT; }
  public static final long size$offset() { return size$OFFSET; }
  public static long size(MemorySegment struct) { return struct.get(size$LAYOUT, size$OFFSET); }
  public static void size(MemorySegment struct, long fieldValue) { struct.set(size$LAYOUT, size$OFFSET, fieldValue); }

  private static final OfLong iov_limit$LAYOUT = (OfLong) $LAYOUT.select(groupElement("iov_limit"));
  private static final long iov_limit$OFFSET = $LAYOUT.byteOffset(groupElement("iov_limit"));
  public static final OfLong iov_limit$layout() { return iov_limit$LAYOUT; }
  public static final long iov_limit$offset() { return iov_limit$OFFSET; }
  public static long iov_limit(MemorySegment struct) { return struct.get(iov_limit$LAYOUT, iov_limit$OFFSET); }
  public static void iov_limit(MemorySegment struct, long fieldValue) { struct.set(iov_limit$LAYOUT, iov_limit$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
