// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code struct CUlaunchAttribute_st} of {@code cuda.h}; its value is a union. */
public class CUlaunchAttribute_st {

  CUlaunchAttribute_st() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          cuda_h.C_INT.withName("id"),
          MemoryLayout.sequenceLayout(4, cuda_h.C_CHAR).withName("pad"),
          MemoryLayout.sequenceLayout(8, cuda_h.C_LONG).withName("value"))
          .withName("CUlaunchAttribute_st");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final long id$OFFSET = $LAYOUT.byteOffset(groupElement("id"));
  public static final long id$offset() { return id$OFFSET; }
  public static int id(MemorySegment struct) { return struct.get(cuda_h.C_INT, id$OFFSET); }
  public static void id(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, id$OFFSET, fieldValue); }

  private static final long pad$OFFSET = $LAYOUT.byteOffset(groupElement("pad"));
  public static final long pad$offset() { return pad$OFFSET; }
  public static byte pad(MemorySegment struct, long index0) { return struct.get(cuda_h.C_CHAR, pad$OFFSET + index0 * 1); }
  public static void pad(MemorySegment struct, long index0, byte fieldValue) { struct.set(cuda_h.C_CHAR, pad$OFFSET + index0 * 1, fieldValue); }

  private static final long value$OFFSET = $LAYOUT.byteOffset(groupElement("value"));
  public static final long value$offset() { return value$OFFSET; }
  public static MemorySegment value(MemorySegment struct) { return struct.asSlice(value$OFFSET, 64); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
