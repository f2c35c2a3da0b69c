// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code struct CUipcMemHandle_st} of {@code cuda.h}. */
public class CUipcMemHandle_st {

  CUipcMemHandle_st() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          MemoryLayout.sequenceLayout(64, cuda_h.C_CHAR).withName("reserved"))
          .withName("CUipcMemHandle_st");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final long reserved$OFFSET = $LAYOUT.byteOffset(groupElement("reserved"));
  public static final long reserved$offset() { return reserved$OFFSET; }
  public static byte reserved(MemorySegment struct, long index0) { return struct.get(cuda_h.C_CHAR, reserved$OFFSET + index0 * 1); }
  public static void reserved(MemorySegment struct, long index0, byte fieldValue) { struct.set(cuda_h.C_CHAR, reserved$OFFSET + index0 * 1, fieldValue); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
