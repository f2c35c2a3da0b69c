// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code struct CUuuid_st} of {@code cuda.h}. */
public class CUuuid_st {

  CUuuid_st() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          MemoryLayout.sequenceLayout(16, cuda_h.C_CHAR).withName("bytes"))
          .withName("CUuuid_st");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final long bytes$OFFSET = $LAYOUT.byteOffset(groupElement("bytes"));
  public static final long bytes$offset() { return bytes$OFFSET; }
  public static byte bytes(MemorySegment struct, long index0) { return struct.get(cuda_h.C_CHAR, bytes$OFFSET + index0 * 1); }
  public static void bytes(MemorySegment struct, long index0, byte fieldValue) { struct.set(cuda_h.C_CHAR, bytes$OFFSET + index0 * 1, fieldValue); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
