// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code nitinol_ll_reduce_params} of {@code params.h}. */
public class nitinol_ll_reduce_params {

  nitinol_ll_reduce_params() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          nitinol_team.layout().withName("team"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("lines"),
          cuda_h.C_LONG.withName("slot_bytes"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("send"),
          cuda_h.C_LONG.withName("destination"),
          cuda_h.C_LONG.withName("count"),
          cuda_h.C_LONG.withName("scalar"),
          cuda_h.C_INT.withName("send_mask"),
          cuda_h.C_INT.withName("divisor"))
          .withName("nitinol_ll_reduce_params");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final long team$OFFSET = $LAYOUT.byteOffset(groupElement("team"));
  public static final long team$offset() { return team$OFFSET; }
  public static MemorySegment team(MemorySegment struct) { return struct.asSlice(team$OFFSET, nitinol_team.sizeof()); }

  private static final long lines$OFFSET = $LAYOUT.byteOffset(groupElement("lines"));
  public static final long lines$offset() { return lines$OFFSET; }
  public static long lines(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, lines$OFFSET + index0 * 8); }
  public static void lines(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, lines$OFFSET + index0 * 8, fieldValue); }

  private static final long slot_bytes$OFFSET = $LAYOUT.byteOffset(groupElement("slot_bytes"));
  public static final long slot_bytes$offset() { return slot_bytes$OFFSET; }
  public static long slot_bytes(MemorySegment struct) { return struct.get(cuda_h.C_LONG, slot_bytes$OFFSET); }
  public static void slot_bytes(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, slot_bytes$OFFSET, fieldValue); }

  private static final long send$OFFSET = $LAYOUT.byteOffset(groupElement("send"));
  public static final long send$offset() { return send$OFFSET; }
  public static long send(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, send$OFFSET + index0 * 8); }
  public static void send(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, send$OFFSET + index0 * 8, fieldValue); }

  private static final long destination$OFFSET = $LAYOUT.byteOffset(groupElement("destination"));
  public static final long destination$offset() { return destination$OFFSET; }
  public static long destination(MemorySegment struct) { return struct.get(cuda_h.C_LONG, destination$OFFSET); }
  public static void destination(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, destination$OFFSET, fieldValue); }

  private static final long count$OFFSET = $LAYOUT.byteOffset(groupElement("count"));
  public static final long count$offset() { return count$OFFSET; }
  public static long count(MemorySegment struct) { return struct.get(cuda_h.C_LONG, count$OFFSET); }
  public static void count(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, count$OFFSET, fieldValue); }

  private static final long scalar$OFFSET = $LAYOUT.byteOffset(groupElement("scalar"));
  public static final long scalar$offset() { return scalar$OFFSET; }
  public static long scalar(MemorySegment struct) { return struct.get(cuda_h.C_LONG, scalar$OFFSET); }
  public static void scalar(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, scalar$OFFSET, fieldValue); }

  private static final long send_mask$OFFSET = $LAYOUT.byteOffset(groupElement("send_mask"));
  public static final long send_mask$offset() { return send_mask$OFFSET; }
  public static int send_mask(MemorySegment struct) { return struct.get(cuda_h.C_INT, send_mask$OFFSET); }
  public static void send_mask(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, send_mask$OFFSET, fieldValue); }

  private static final long divisor$OFFSET = $LAYOUT.byteOffset(groupElement("divisor"));
  public static final long divisor$offset() { return divisor$OFFSET; }
  public static int divisor(MemorySegment struct) { return struct.get(cuda_h.C_INT, divisor$OFFSET); }
  public static void divisor(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, divisor$OFFSET, fieldValue); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
