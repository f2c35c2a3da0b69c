// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code nitinol_direct_move_params} of {@code params.h}. */
public class nitinol_direct_move_params {

  nitinol_direct_move_params() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          nitinol_team.layout().withName("team"),
          cuda_h.C_INT.withName("moves"),
          cuda_h.C_INT.withName("mode"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("source"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("destination"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("bytes"))
          .withName("nitinol_direct_move_params");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final long team$OFFSET = $LAYOUT.byteOffset(groupElement("team"));
  public static final long team$offset() { return team$OFFSET; }
  public static MemorySegment team(MemorySegment struct) { return struct.asSlice(team$OFFSET, nitinol_team.sizeof()); }

  private static final long moves$OFFSET = $LAYOUT.byteOffset(groupElement("moves"));
  public static final long moves$offset() { return moves$OFFSET; }
  public static int moves(MemorySegment struct) { return struct.get(cuda_h.C_INT, moves$OFFSET); }
  public static void moves(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, moves$OFFSET, fieldValue); }

  private static final long mode$OFFSET = $LAYOUT.byteOffset(groupElement("mode"));
  public static final long mode$offset() { return mode$OFFSET; }
  public static int mode(MemorySegment struct) { return struct.get(cuda_h.C_INT, mode$OFFSET); }
  public static void mode(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, mode$OFFSET, fieldValue); }

  private static final long source$OFFSET = $LAYOUT.byteOffset(groupElement("source"));
  public static final long source$offset() { return source$OFFSET; }
  public static long source(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, source$OFFSET + index0 * 8); }
  public static void source(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, source$OFFSET + index0 * 8, fieldValue); }

  private static final long destination$OFFSET = $LAYOUT.byteOffset(groupElement("destination"));
  public static final long destination$offset() { return destination$OFFSET; }
  public static long destination(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, destination$OFFSET + index0 * 8); }
  public static void destination(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, destination$OFFSET + index0 * 8, fieldValue); }

  private static final long bytes$OFFSET = $LAYOUT.byteOffset(groupElement("bytes"));
  public static final long bytes$offset() { return bytes$OFFSET; }
  public static long bytes(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, bytes$OFFSET + index0 * 8); }
  public static void bytes(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, bytes$OFFSET + index0 * 8, fieldValue); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
