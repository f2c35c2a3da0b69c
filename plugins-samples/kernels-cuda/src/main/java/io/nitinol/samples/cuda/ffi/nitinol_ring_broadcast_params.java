// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code nitinol_ring_broadcast_params} of {@code params.h}. */
public class nitinol_ring_broadcast_params {

  nitinol_ring_broadcast_params() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          nitinol_team.layout().withName("team"),
          cuda_h.C_LONG.withName("input"),
          cuda_h.C_LONG.withName("output"),
          cuda_h.C_LONG.withName("next_output"),
          cuda_h.C_LONG.withName("bytes"),
          cuda_h.C_LONG.withName("slice"),
          cuda_h.C_INT.withName("root"),
          MemoryLayout.paddingLayout(4))
          .withName("nitinol_ring_broadcast_params");

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

  private static final long next_output$OFFSET = $LAYOUT.byteOffset(groupElement("next_output"));
  public static final long next_output$offset() { return next_output$OFFSET; }
  public static long next_output(MemorySegment struct) { return struct.get(cuda_h.C_LONG, next_output$OFFSET); }
  public static void next_output(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, next_output$OFFSET, fieldValue); }

  private static final long bytes$OFFSET = $LAYOUT.byteOffset(groupElement("bytes"));
  public static final long bytes$offset() { return bytes$OFFSET; }
  public static long bytes(MemorySegment struct) { return struct.get(cuda_h.C_LONG, bytes$OFFSET); }
  public static void bytes(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, bytes$OFFSET, fieldValue); }

  private static final long slice$OFFSET = $LAYOUT.byteOffset(groupElement("slice"));
  public static final long slice$offset() { return slice$OFFSET; }
  public static long slice(MemorySegment struct) { return struct.get(cuda_h.C_LONG, slice$OFFSET); }
  public static void slice(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, slice$OFFSET, fieldValue); }

  private static final long root$OFFSET = $LAYOUT.byteOffset(groupElement("root"));
  public static final long root$offset() { return root$OFFSET; }
  public static int root(MemorySegment struct) { return struct.get(cuda_h.C_INT, root$OFFSET); }
  public static void root(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, root$OFFSET, fieldValue); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
