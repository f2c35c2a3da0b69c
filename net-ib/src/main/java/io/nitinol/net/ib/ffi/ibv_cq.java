// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct ibv_cq}. */
public class ibv_cq {

  ibv_cq() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_POINTER.withName("context"),
          verbs_h.C_POINTER.withName("channel"),
          verbs_h.C_POINTER.withName("cq_context"),
          verbs_h.C_INT.withName("handle"),
          verbs_h.C_INT.withName("cqe"),
          MemoryLayout.sequenceLayout(5, verbs_h.C_LONG).withName("mutex"),
          MemoryLayout.sequenceLayout(6, verbs_h.C_LONG).withName("cond"),
          verbs_h.C_INT.withName("comp_events_completed"),
          verbs_h.C_INT.withName("async_events_completed"))
          .withName("ibv_cq");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout context$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("context"));
  private static final long context$OFFSET = $LAYOUT.byteOffset(groupElement("context"));
  public static final AddressLayout context$layout() { return context$LAYOUT; }
  public static final long context$offset() { return context$OFFSET; }
  public static MemorySegment context(MemorySegment struct) { return struct.get(context$LAYOUT, context$OFFSET); }
  public static void context(MemorySegment struct, MemorySegment fieldValue) { struct.set(context$LAYOUT, context$OFFSET, fieldValue); }

  private static final AddressLayout channel$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("channel"));
  private static final long channel$OFFSET = $LAYOUT.byteOffset(groupElement("channel"));
  public static final AddressLayout channel$layout() { return channel$LAYOUT; }
  public static final long channel$offset() { return channel$OFFSET; }
  public static MemorySegment channel(MemorySegment struct) { return struct.get(channel$LAYOUT, channel$OFFSET); }
  public static void channel(MemorySegment struct, MemorySegment fieldValue) { struct.set(channel$LAYOUT, channel$OFFSET, fieldValue); }

  private static final AddressLayout cq_context$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("cq_context"));
  private static final long cq_context$OFFSET = $LAYOUT.byteOffset(groupElement("cq_context"));
  public static final AddressLayout cq_context$layout() { return cq_context$LAYOUT; }
  public static final long cq_context$offset() { return cq_context$OFFSET; }
  public static MemorySegment cq_context(MemorySegment struct) { return struct.get(cq_context$LAYOUT, cq_context$OFFSET); }
  public static void cq_context(MemorySegment struct, MemorySegment fieldValue) { struct.set(cq_context$LAYOUT, cq_context$OFFSET, fieldValue); }

  private static final OfInt handle$LAYOUT = (OfInt) $LAYOUT.select(groupElement("handle"));
  private static final long handle$OFFSET = $LAYOUT.byteOffset(groupElement("handle"));
  public static final OfInt handle$layout() { return handle$LAYOUT; }
  public static final long handle$offset() { return handle$OFFSET; }
  public static int handle(MemorySegment struct) { return struct.get(handle$LAYOUT, handle$OFFSET); }
  public static void handle(MemorySegment struct, int fieldValue) { struct.set(handle$LAYOUT, handle$OFFSET, fieldValue); }

  private static final OfInt cqe$LAYOUT = (OfInt) $LAYOUT.select(groupElement("cqe"));
  private static final long cqe$OFFSET = $LAYOUT.byteOffset(groupElement("cqe"));
  public static final OfInt cqe$layout() { return cqe$LAYOUT; }
  public static final long cqe$offset() { return cqe$OFFSET; }
  public static int cqe(MemorySegment struct) { return struct.get(cqe$LAYOUT, cqe$OFFSET); }
  public static void cqe(MemorySegment struct, int fieldValue) { struct.set(cqe$LAYOUT, cqe$OFFSET, fieldValue); }

  private static final SequenceLayout mutex$LAYOUT = (SequenceLayout) $LAYOUT.select(groupElement("mutex"));
  private static final long mutex$OFFSET = $LAYOUT.byteOffset(groupElement("mutex"));
  public static final SequenceLayout mutex$layout() { return mutex$LAYOUT; }
  public static final long mutex$offset() { return mutex$OFFSET; }
  public static MemorySegment mutex(MemorySegment struct) { return struct.asSlice(mutex$OFFSET, mutex$LAYOUT.byteSize()); }
  public static void mutex(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, mutex$OFFSET, mutex$LAYOUT.byteSize()); }

  private static final SequenceLayout cond$LAYOUT = (SequenceLayout) $LAYOUT.select(groupElement("cond"));
  private static final long cond$OFFSET = $LAYOUT.byteOffset(groupElement("cond"));
  public static final SequenceLayout cond$layout() { return cond$LAYOUT; }
  public static final long cond$offset() { return cond$OFFSET; }
  public static MemorySegment cond(MemorySegment struct) { return struct.asSlice(cond$OFFSET, cond$LAYOUT.byteSize()); }
  public static void cond(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, cond$OFFSET, cond$LAYOUT.byteSize()); }

  private static final OfInt comp_events_completed$LAYOUT = (OfInt) $LAYOUT.select(groupElement("comp_events_completed"));
  private static final long comp_events_completed$OFFSET = $LAYOUT.byteOffset(groupElement("comp_events_completed"));
  public static final OfInt comp_events_completed$layout() { return comp_events_completed$LAYOUT; }
  public static final long comp_events_completed$offset() { return comp_events_completed$OFFSET; }
  public static int comp_events_completed(MemorySegment struct) { return struct.get(comp_events_completed$LAYOUT, comp_events_completed$OFFSET); }
  public static void comp_events_completed(MemorySegment struct, int fieldValue) { struct.set(comp_events_completed$LAYOUT, comp_events_completed$OFFSET, fieldValue); }

  private static final OfInt async_events_completed$LAYOUT = (OfInt) $LAYOUT.select(groupElement("async_events_completed"));
  private static final long async_events_completed$OFFSET = $LAYOUT.byteOffset(groupElement("async_events_completed"));
  public static final OfInt async_events_completed$layout() { return async_events_completed$LAYOUT; }
  public static final long async_events_completed$offset() { return async_events_completed$OFFSET; }
  public static int async_events_completed(MemorySegment struct) { return struct.get(async_events_completed$LAYOUT, async_events_completed$OFFSET); }
  public static void async_events_completed(MemorySegment struct, int fieldValue) { struct.set(async_events_completed$LAYOUT, async_events_completed$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
