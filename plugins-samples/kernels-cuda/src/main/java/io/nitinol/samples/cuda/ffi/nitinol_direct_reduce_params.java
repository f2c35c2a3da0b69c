// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code nitinol_direct_reduce_params} of {@code params.h}. */
public class nitinol_direct_reduce_params {

  nitinol_direct_reduce_params() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          nitinol_team.layout().withName("team"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("source"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("destination"),
          cuda_h.C_INT.withName("destinations"),
          cuda_h.C_INT.withName("divisor"),
          cuda_h.C_LONG.withName("count"),
          cuda_h.C_LONG.withName("scalar"))
          .withName("nitinol_direct_reduce_params");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final long team$OFFSET = $LAYOUT.byteOffset(groupElement("team"));
  public static final long team$offset() { return team$OFFSET; }
  public static MemorySegment team(MemorySegment struct) { return struct.asSlice(team$OFFSET, nitinol_team.sizeof()); }

  private static final long source$OFFSET = $LAYOUT.byteOffset(groupElement("source"));
  public static final long source$offset() { return source$OFFSET; }
  public static long source(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, source$OFFSET + index0 * 8); }
  public static void source(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, source$OFFSET + index0 * 8, fieldValue); }

  private static final long destination$OFFSET = $LAYOUT.byteOffset(groupElement("destination"));
  public static final long destination$offset() { return destination$OFFSET; }
  public static long destination(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, destination$OFFSET + index0 * 8); }
  public static void destination(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, destination$OFFSET + index0 * 8, fieldValue); }

  private static final long destinations$OFFSET = $LAYOUT.byteOffset(groupElement("destinations"));
  public static final long destinations$offset() { return destinations$OFFSET; }
  public static int destinations(MemorySegment struct) { return struct.get(cuda_h.C_INT, destinations$OFFSET); }
  public static void destinations(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, destinations$OFFSET, fieldValue); }

  private static final long divisor$OFFSET = $LAYOUT.byteOffset(groupElement("divisor"));
  public static final long divisor$offset() { return divisor$OFFSET; }
  public static int divisor(MemorySegment struct) { return struct.get(cuda_h.C_INT, divisor$OFFSET); }
  public static void divisor(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, divisor$OFFSET, fieldValue); }

  private static final long count$OFFSET = $LAYOUT.byteOffset(groupElement("count"));
  public static final long count$offset() { return count$OFFSET; }
  public static long count(MemorySegment struct) { return struct.get(cuda_h.C_LONG, count$OFFSET); }
  public static void count(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, count$OFFSET, fieldValue); }

  private static final long scalar$OFFSET = $LAYOUT.byteOffset(groupElement("scalar"));
  public static final long scalar$offset() { return scalar$OFFSET; }
  public static long scalar(MemorySegment struct) { return struct.get(cuda_h.C_LONG, scalar$OFFSET); }
  public static void scalar(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, scalar$OFFSET, fieldValue); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
