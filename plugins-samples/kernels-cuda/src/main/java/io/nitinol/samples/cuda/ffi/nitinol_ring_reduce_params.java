// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code nitinol_ring_reduce_params} of {@code params.h}. */
public class nitinol_ring_reduce_params {

  nitinol_ring_reduce_params() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          nitinol_team.layout().withName("team"),
          cuda_h.C_LONG.withName("input"),
          cuda_h.C_LONG.withName("output"),
          cuda_h.C_LONG.withName("scratch"),
          cuda_h.C_LONG.withName("next_scratch"),
          cuda_h.C_LONG.withName("next_output"),
          cuda_h.C_LONG.withName("count"),
          cuda_h.C_LONG.withName("stride"),
          cuda_h.C_LONG.withName("slice"),
          cuda_h.C_LONG.withName("scalar"),
          cuda_h.C_INT.withName("divisor"),
          cuda_h.C_INT.withName("mode"),
          cuda_h.C_INT.withName("root"),
          MemoryLayout.paddingLayout(4))
          .withName("nitinol_ring_reduce_params");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final long team$OFFSET = $LAYOUT.byteOffset(groupElement("team"));
  public static final long team$offset() { return team$OFFSET; }
  public static MemorySegment team(MemorySegment struct) { return struct.asSlice(team$OFFSET, nitinol_team.sizeof()); }

  private static final long input$OFFSET = $LAYOUT.byteOffset(groupElement("input"));
  public static final long input$offset() { return input$OFFSET; }
  public static long input(MemorySegment struct) { return struct.get(cuda_h.C_LONG, input$OFFSET); }
  public static void input(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, input$OFFSET, fieldValue); }

  private static final long output$OFFSET = $LAYOUT.byteOffset(groupElement("output"));
  public static final long output$offset() { return output$OFFSET; }
  public static long output(MemorySegment struct) { return struct.get(cuda_h.C_LONG, output$OFFSET); }
  public static void output(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, output$OFFSET, fieldValue); }

  private static final long scratch$OFFSET = $LAYOUT.byteOffset(groupElement("scratch"));
  public static final long scratch$offset() { return scratch$OFFSET; }
  public static long scratch(MemorySegment struct) { return struct.get(cuda_h.C_LONG, scratch$OFFSET); }
  public static void scratch(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, scratch$OFFSET, fieldValue); }

  private static final long next_scratch$OFFSET = $LAYOUT.byteOffset(groupElement("next_scratch"));
  public static final long next_scratch$offset() { return next_scratch$OFFSET; }
  public static long next_scratch(MemorySegment struct) { return struct.get(cuda_h.C_LONG, next_scratch$OFFSET); }
  public static void next_scratch(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, next_scratch$OFFSET, fieldValue); }

  private static final long next_output$OFFSET = $LAYOUT.byteOffset(groupElement("next_output"));
  public static final long next_output$offset() { return next_output$OFFSET; }
  public static long next_output(MemorySegment struct) { return struct.get(cuda_h.C_LONG, next_output$OFFSET); }
  public static void next_output(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, next_output$OFFSET, fieldValue); }

  private static final long count$OFFSET = $LAYOUT.byteOffset(groupElement("count"));
  public static final long count$offset() { return count$OFFSET; }
  public static long count(MemorySegment struct) { return struct.get(cuda_h.C_LONG, count$OFFSET); }
  public static void count(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, count$OFFSET, fieldValue); }

  private static final long stride$OFFSET = $LAYOUT.byteOffset(groupElement("stride"));
  public static final long stride$offset() { return stride$OFFSET; }
  public static long stride(MemorySegment struct) { return struct.get(cuda_h.C_LONG, stride$OFFSET); }
  public static void stride(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, stride$OFFSET, fieldValue); }

  private static final long slice$OFFSET = $LAYOUT.byteOffset(groupElement("slice"));
  public static final long slice$offset() { return slice$OFFSET; }
  public static long slice(MemorySegment struct) { return struct.get(cuda_h.C_LONG, slice$OFFSET); }
  public static void slice(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, slice$OFFSET, fieldValue); }

  private static final long scalar$OFFSET = $LAYOUT.byteOffset(groupElement("scalar"));
  public static final long scalar$offset() { return scalar$OFFSET; }
  public static long scalar(MemorySegment struct) { return struct.get(cuda_h.C_LONG, scalar$OFFSET); }
  public static void scalar(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, scalar$OFFSET, fieldValue); }

  private static final long divisor$OFFSET = $LAYOUT.byteOffset(groupElement("divisor"));
  public static final long divisor$offset() { return divisor$OFFSET; }
  public static int divisor(MemorySegment struct) { return struct.get(cuda_h.C_INT, divisor$OFFSET); }
  public static void divisor(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, divisor$OFFSET, fieldValue); }

  private static final long mode$OFFSET = $LAYOUT.byteOffset(groupElement("mode"));
  public static final long mode$offset() { return mode$OFFSET; }
  public static int mode(MemorySegment struct) { return struct.get(cuda_h.C_INT, mode$OFFSET); }
  public static void mode(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, mode$OFFSET, fieldValue); }

  private static final long root$OFFSET = $LAYOUT.byteOffset(groupElement("root"));
  public static final long root$offset() { return root$OFFSET; }
  public static int root(MemorySegment struct) { return struct.get(cuda_h.C_INT, root$OFFSET); }
  public static void root(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, root$OFFSET, fieldValue); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
