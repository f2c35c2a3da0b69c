// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code nitinol_ll_move_params} of {@code params.h}. */
public class nitinol_ll_move_params {

  nitinol_ll_move_params() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          nitinol_team.layout().withName("team"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("lines"),
          cuda_h.C_LONG.withName("slot_bytes"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("send"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("send_bytes"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("receive"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("receive_bytes"))
          .withName("nitinol_ll_move_params");

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

  private static final long send_bytes$OFFSET = $LAYOUT.byteOffset(groupElement("send_bytes"));
  public static final long send_bytes$offset() { return send_bytes$OFFSET; }
  public static long send_bytes(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, send_bytes$OFFSET + index0 * 8); }
  public static void send_bytes(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, send_bytes$OFFSET + index0 * 8, fieldValue); }

  private static final long receive$OFFSET = $LAYOUT.byteOffset(groupElement("receive"));
  public static final long receive$offset() { return receive$OFFSET; }
  public static long receive(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, receive$OFFSET + index0 * 8); }
  public static void receive(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, receive$OFFSET + index0 * 8, fieldValue); }

  private static final long receive_bytes$OFFSET = $LAYOUT.byteOffset(groupElement("receive_bytes"));
  public static final long receive_bytes$offset() { return receive_bytes$OFFSET; }
  public static long receive_bytes(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, receive_bytes$OFFSET + index0 * 8); }
  public static void receive_bytes(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, receive_bytes$OFFSET + index0 * 8, fieldValue); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
