// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;

/** {@code struct ibv_mr}. */
public class ibv_mr {

  ibv_mr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_POINTER.withName("context"),
          verbs_h.C_POINTER.withName("pd"),
          verbs_h.C_POINTER.withName("addr"),
          verbs_h.C_LONG.withName("length"),
          verbs_h.C_INT.withName("handle"),
          verbs_h.C_INT.withName("lkey"),
          verbs_h.C_INT.withName("rkey"),
          MemoryLayout.paddingLayout(4))
          .withName("ibv_mr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout context$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("context"));
  private static final long context$OFFSET = $LAYOUT.byteOffset(groupElement("context"));
  public static final AddressLayout context$layout() { return context$LAYOUT; }
  public static final long context$offset() { return context$OFFSET; }
  public static MemorySegment context(MemorySegment struct) { return struct.get(context$LAYOUT, context$OFFSET); }
  public static void context(MemorySegment struct, MemorySegment fieldValue) { struct.set(context$LAYOUT, context$OFFSET, fieldValue); }

  private static final AddressLayout pd$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("pd"));
  private static final long pd$OFFSET = $LAYOUT.byteOffset(groupElement("pd"));
  public static final AddressLayout pd$layout() { return pd$LAYOUT; }
  public static final long pd$offset() { return pd$OFFSET; }
  public static MemorySegment pd(MemorySegment struct) { return struct.get(pd$LAYOUT, pd$OFFSET); }
  public static void pd(MemorySegment struct, MemorySegment fieldValue) { struct.set(pd$LAYOUT, pd$OFFSET, fieldValue); }

  private static final AddressLayout addr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("addr"));
  private static final long addr$OFFSET = $LAYOUT.byteOffset(groupElement("addr"));
  public static final AddressLayout addr$layout() { return addr$LAYOUT; }
  public static final long addr$offset() { return addr$OFFSET; }
  public static MemorySegment addr(MemorySegment struct) { return struct.get(addr$LAYOUT, addr$OFFSET); }
  public static void addr(MemorySegment struct, MemorySegment fieldValue) { struct.set(addr$LAYOUT, addr$OFFSET, fieldValue); }

  private static final OfLong length$LAYOUT = (OfLong) $LAYOUT.select(groupElement("length"));
  private static final long length$OFFSET = $LAYOUT.byteOffset(groupElement("length"));
  public static final OfLong length$layout() { return length$LAYOUT; }
  public static final long length$offset() { return length$OFFSET; }
  public static long length(MemorySegment struct) { return struct.get(length$LAYOUT, length$OFFSET); }
  public static void length(MemorySegment struct, long fieldValue) { struct.set(length$LAYOUT, length$OFFSET, fieldValue); }

  private static final OfInt handle$LAYOUT = (OfInt) $LAYOUT.select(groupElement("handle"));
  private static final long handle$OFFSET = $LAYOUT.byteOffset(groupElement("handle"));
  public static final OfInt handle$layout() { return handle$LAYOUT; }
  public static final long handle$offset() { return handle$OFFSET; }
  public static int handle(MemorySegment struct) { return struct.get(handle$LAYOUT, handle$OFFSET); }
  public static void handle(MemorySegment struct, int fieldValue) { struct.set(handle$LAYOUT, handle$OFFSET, fieldValue); }

  private static final OfInt lkey$LAYOUT = (OfInt) $LAYOUT.select(groupElement("lkey"));
  private static final long lkey$OFFSET = $LAYOUT.byteOffset(groupElement("lkey"));
  public static final OfInt lkey$layout() { return lkey$LAYOUT; }
  public static final long lkey$offset() { return lkey$OFFSET; }
  public static int lkey(MemorySegment struct) { return struct.get(lkey$LAYOUT, lkey$OFFSET); }
  public static void lkey(MemorySegment struct, int fieldValue) { struct.set(lkey$LAYOUT, lkey$OFFSET, fieldValue); }

  private static final OfInt rkey$LAYOUT = (OfInt) $LAYOUT.select(groupElement("rkey"));
  private static final long rkey$OFFSET = $LAYOUT.byteOffset(groupElement("rkey"));
  public static final OfInt rkey$layout() { return rkey$LAYOUT; }
  public static final long rkey$offset() { return rkey$OFFSET; }
  public static int rkey(MemorySegment struct) { return struct.get(rkey$LAYOUT, rkey$OFFSET); }
  public static void rkey(MemorySegment struct, int fieldValue) { struct.set(rkey$LAYOUT, rkey$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
