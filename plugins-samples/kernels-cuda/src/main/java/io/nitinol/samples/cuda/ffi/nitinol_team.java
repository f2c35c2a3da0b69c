// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code nitinol_team} of {@code params.h}. */
public class nitinol_team {

  nitinol_team() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          cuda_h.C_INT.withName("size"),
          cuda_h.C_INT.withName("rank"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("control"),
          cuda_h.C_LONG.withName("abort"),
          cuda_h.C_LONG.withName("status"))
          .withName("nitinol_team");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final long size$OFFSET = $LAYOUT.byteOffset(groupElement("size"));
  public static final long size$offset() { return size$OFFSET; }
  public static int size(MemorySegment struct) { return struct.get(cuda_h.C_INT, size$OFFSET); }
  public static void size(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, size$OFFSET, fieldValue); }

  private static final long rank$OFFSET = $LAYOUT.byteOffset(groupElement("rank"));
  public static final long rank$offset() { return rank$OFFSET; }
  public static int rank(MemorySegment struct) { return struct.get(cuda_h.C_INT, rank$OFFSET); }
  public static void rank(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, rank$OFFSET, fieldValue); }

  private static final long control$OFFSET = $LAYOUT.byteOffset(groupElement("control"));
  public static final long control$offset() { return control$OFFSET; }
  public static long control(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, control$OFFSET + index0 * 8); }
  public static void control(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, control$OFFSET + index0 * 8, fieldValue); }

  private static final long abort$OFFSET = $LAYOUT.byteOffset(groupElement("abort"));
  public static final long abort$offset() { return abort$OFFSET; }
  public static long abort(MemorySegment struct) { return struct.get(cuda_h.C_LONG, abort$OFFSET); }
  public static void abort(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, abort$OFFSET, fieldValue); }

  private static final long status$OFFSET = $LAYOUT.byteOffset(groupElement("status"));
  public static final long status$offset() { return status$OFFSET; }
  public static long status(MemorySegment struct) { return struct.get(cuda_h.C_LONG, status$OFFSET); }
  public static void status(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, status$OFFSET, fieldValue); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
