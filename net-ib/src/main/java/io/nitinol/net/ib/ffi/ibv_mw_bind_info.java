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

/** {@code struct ibv_mw_bind_info}. */
public class ibv_mw_bind_info {

  ibv_mw_bind_info() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_POINTER.withName("mr"),
          verbs_h.C_LONG.withName("addr"),
          verbs_h.C_LONG.withName("length"),
          verbs_h.C_INT.withName("mw_access_flags"),
          MemoryLayout.paddingLayout(4))
          .withName("ibv_mw_bind_info");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout mr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("mr"));
  private static final long mr$OFFSET = $LAYOUT.byteOffset(groupElement("mr"));
  public static final AddressLayout mr$layout() { return mr$LAYOUT; }
  public static final long mr$offset() { return mr$OFFSET; }
  public static MemorySegment mr(MemorySegment struct) { return struct.get(mr$LAYOUT, mr$OFFSET); }
  public static void mr(MemorySegment struct, MemorySegment fieldValue) { struct.set(mr$LAYOUT, mr$OFFSET, fieldValue); }

  private static final OfLong addr$LAYOUT = (OfLong) $LAYOUT.select(groupElement("addr"));
  private static final long addr$OFFSET = $LAYOUT.byteOffset(groupElement("addr"));
  public static final OfLong addr$layout() { return addr$LAYOUT; }
  public static final long addr$offset() { return addr$OFFSET; }
  public static long addr(MemorySegment struct) { return struct.get(addr$LAYOUT, addr$OFFSET); }
  public static void addr(MemorySegment struct, long fieldValue) { struct.set(addr$LAYOUT, addr$OFFSET, fieldValue); }

  private static final OfLong length$LAYOUT = (OfLong) $LAYOUT.select(groupElement("length"));
  private static final long length$OFFSET = $LAYOUT.byteOffset(groupElement("length"));
  public static final OfLong length$layout() { return length$LAYOUT; }
  public static final long length$offset() { return length$OFFSET; }
  public static long length(MemorySegment struct) { return struct.get(length$LAYOUT, length$OFFSET); }
  public static void length(MemorySegment struct, long fieldValue) { struct.set(length$LAYOUT, length$OFFSET, fieldValue); }

  private static final OfInt mw_access_flags$LAYOUT = (OfInt) $LAYOUT.select(groupElement("mw_access_flags"));
  private static final long mw_access_flags$OFFSET = $LAYOUT.byteOffset(groupElement("mw_access_flags"));
  public static final OfInt mw_access_flags$layout() { return mw_access_flags$LAYOUT; }
  public static final long mw_access_flags$offset() { return mw_access_flags$OFFSET; }
  public static int mw_access_flags(MemorySegment struct) { return struct.get(mw_access_flags$LAYOUT, mw_access_flags$OFFSET); }
  public static void mw_access_flags(MemorySegment struct, int fieldValue) { struct.set(mw_access_flags$LAYOUT, mw_access_flags$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
