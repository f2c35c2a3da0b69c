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

/** {@code struct fi_cq_attr}. */
public class fi_cq_attr {

  fi_cq_attr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_LONG.withName("size"),
          fabric_h.C_LONG.withName("flags"),
          fabric_h.C_INT.withName("format"),
          fabric_h.C_INT.withName("wait_obj"),
          fabric_h.C_INT.withName("signaling_vector"),
          fabric_h.C_INT.withName("wait_cond"),
          fabric_h.C_POINTER.withName("wait_set"))
          .withName("fi_cq_attr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("size"));
  private static final long size$OFFSET = $LAYOUT.byteOffset(groupElement("size"));
  public static final OfLong size$layout() { return size$LAYOUT; }
  public static final long size$offset() { return size$OFFSET; }
  public static long size(MemorySegment struct) { return struct.get(size$LAYOUT, size$OFFSET); }
  public static void size(MemorySegment struct, long fieldValue) { struct.set(size$LAYOUT, size$OFFSET, fieldValue); }

  private static final OfLong flags$LAYOUT = (OfLong) $LAYOUT.select(groupElement("flags"));
  private static final long flags$OFFSET = $LAYOUT.byteOffset(groupElement("flags"));
  public static final OfLong flags$layout() { return flags$LAYOUT; }
  public static final long flags$offset() { return flags$OFFSET; }
  public static long flags(MemorySegment struct) { return struct.get(flags$LAYOUT, flags$OFFSET); }
  public static void flags(MemorySegment struct, long fieldValue) { struct.set(flags$LAYOUT, flags$OFFSET, fieldValue); }

  private static final OfInt format$LAYOUT = (OfInt) $LAYOUT.select(groupElement("format"));
  private static final long format$OFFSET = $LAYOUT.byteOffset(groupElement("format"));
  public static final OfInt format$layout() { return format$LAYOUT; }
  public static final long format$offset() { return format$OFFSET; }
  public static int format(MemorySegment struct) { return struct.get(format$LAYOUT, format$OFFSET); }
  public static void format(MemorySegment struct, int fieldValue) { struct.set(format$LAYOUT, format$OFFSET, fieldValue); }

  private static final OfInt wait_obj$LAYOUT = (OfInt) $LAYOUT.select(groupElement("wait_obj"));
  private static final long wait_obj$OFFSET = $LAYOUT.byteOffset(groupElement("wait_obj"));
  public static final OfInt wait_obj$layout() { return wait_obj$LAYOUT; }
  public static final long wait_obj$offset() { return wait_obj$OFFSET; }
  public static int wait_obj(MemorySegment struct) { return struct.get(wait_obj$LAYOUT, wait_obj$OFFSET); }
  public static void wait_obj(MemorySegment struct, int fieldValue) { struct.set(wait_obj$LAYOUT, wait_obj$OFFSET, fieldValue); }

  private static final OfInt signaling_vector$LAYOUT = (OfInt) $LAYOUT.select(groupElement("signaling_vector"));
  private static final long signaling_vector$OFFSET = $LAYOUT.byteOffset(groupElement("signaling_vector"));
  public static final OfInt signaling_vector$layout() { return signaling_vector$LAYOUT; }
  public static final long signaling_vector$offset() { return signaling_vector$OFFSET; }
  public static int signaling_vector(MemorySegment struct) { return struct.get(signaling_vector$LAYOUT, signaling_vector$OFFSET); }
  public static void signaling_vector(MemorySegment struct, int fieldValue) { struct.set(signaling_vector$LAYOUT, signaling_vector$OFFSET, fieldValue); }

  private static final OfInt wait_cond$LAYOUT = (OfInt) $LAYOUT.select(groupElement("wait_cond"));
  private static final long wait_cond$OFFSET = $LAYOUT.byteOffset(groupElement("wait_cond"));
  public static final OfInt wait_cond$layout() { return wait_cond$LAYOUT; }
  public static final long wait_cond$offset() { return wait_cond$OFFSET; }
  public static int wait_cond(MemorySegment struct) { return struct.get(wait_cond$LAYOUT, wait_cond$OFFSET); }
  public static void wait_cond(MemorySegment struct, int fieldValue) { struct.set(wait_cond$LAYOUT, wait_cond$OFFSET, fieldValue); }

  private static final AddressLayout wait_set$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("wait_set"));
  private static final long wait_set$OFFSET = $LAYOUT.byteOffset(groupElement("wait_set"));
  public static final AddressLayout wait_set$layout() { return wait_set$LAYOUT; }
  public static final long wait_set$offset() { return wait_set$OFFSET; }
  public static MemorySegment wait_set(MemorySegment struct) { return struct.get(wait_set$LAYOUT, wait_set$OFFSET); }
  public static void wait_set(MemorySegment struct, MemorySegment fieldValue) { struct.set(wait_set$LAYOUT, wait_set$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
