// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code nitinol_pair_params} of {@code params.h}. */
public class nitinol_pair_params {

  nitinol_pair_params() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          nitinol_team.layout().withName("team"),
          cuda_h.C_INT.withName("sends"),
          cuda_h.C_INT.withName("receives"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("send"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("there"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("send_bytes"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("receive"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("receive_bytes"),
          MemoryLayout.sequenceLayout(16, cuda_h.C_LONG).withName("room"),
          cuda_h.C_LONG.withName("push"),
          cuda_h.C_LONG.withName("stage"),
          cuda_h.C_LONG.withName("peer_stage"),
          cuda_h.C_LONG.withName("stage_bytes"))
          .withName("nitinol_pair_params");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final long team$OFFSET = $LAYOUT.byteOffset(groupElement("team"));
  public static final long team$offset() { return team$OFFSET; }
  public static MemorySegment team(MemorySegment struct) { return struct.asSlice(team$OFFSET, nitinol_team.sizeof()); }

  private static final long sends$OFFSET = $LAYOUT.byteOffset(groupElement("sends"));
  public static final long sends$offset() { return sends$OFFSET; }
  public static int sends(MemorySegment struct) { return struct.get(cuda_h.C_INT, sends$OFFSET); }
  public static void sends(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, sends$OFFSET, fieldValue); }

  private static final long receives$OFFSET = $LAYOUT.byteOffset(groupElement("receives"));
  public static final long receives$offset() { return receives$OFFSET; }
  public static int receives(MemorySegment struct) { return struct.get(cuda_h.C_INT, receives$OFFSET); }
  public static void receives(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, receives$OFFSET, fieldValue); }

  private static final long send$OFFSET = $LAYOUT.byteOffset(groupElement("send"));
  public static final long send$offset() { return send$OFFSET; }
  public static long send(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, send$OFFSET + index0 * 8); }
  public static void send(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, send$OFFSET + index0 * 8, fieldValue); }

  private static final long there$OFFSET = $LAYOUT.byteOffset(groupElement("there"));
  public static final long there$offset() { return there$OFFSET; }
  public static long there(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, there$OFFSET + index0 * 8); }
  public static void there(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, there$OFFSET + index0 * 8, fieldValue); }

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

  private static final long room$OFFSET = $LAYOUT.byteOffset(groupElement("room"));
  public static final long room$offset() { return room$OFFSET; }
  public static long room(MemorySegment struct, long index0) { return struct.get(cuda_h.C_LONG, room$OFFSET + index0 * 8); }
  public static void room(MemorySegment struct, long index0, long fieldValue) { struct.set(cuda_h.C_LONG, room$OFFSET + index0 * 8, fieldValue); }

  private static final long push$OFFSET = $LAYOUT.byteOffset(groupElement("push"));
  public static final long push$offset() { return push$OFFSET; }
  public static long push(MemorySegment struct) { return struct.get(cuda_h.C_LONG, push$OFFSET); }
  public static void push(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, push$OFFSET, fieldValue); }

  private static final long stage$OFFSET = $LAYOUT.byteOffset(groupElement("stage"));
  public static final long stage$offset() { return stage$OFFSET; }
  public static long stage(MemorySegment struct) { return struct.get(cuda_h.C_LONG, stage$OFFSET); }
  public static void stage(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, stage$OFFSET, fieldValue); }

  private static final long peer_stage$OFFSET = $LAYOUT.byteOffset(groupElement("peer_stage"));
  public static final long peer_stage$offset() { return peer_stage$OFFSET; }
  public static long peer_stage(MemorySegment struct) { return struct.get(cuda_h.C_LONG, peer_stage$OFFSET); }
  public static void peer_stage(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, peer_stage$OFFSET, fieldValue); }

  private static final long stage_bytes$OFFSET = $LAYOUT.byteOffset(groupElement("stage_bytes"));
  public static final long stage_bytes$offset() { return stage_bytes$OFFSET; }
  public static long stage_bytes(MemorySegment struct) { return struct.get(cuda_h.C_LONG, stage_bytes$OFFSET); }
  public static void stage_bytes(MemorySegment struct, long fieldValue) { struct.set(cuda_h.C_LONG, stage_bytes$OFFSET, fieldValue); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
