// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct ibv_async_event}. */
public class ibv_async_event {

  ibv_async_event() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          element.layout().withName("element"),
          verbs_h.C_INT.withName("event_type"),
          MemoryLayout.paddingLayout(4))
          .withName("ibv_async_event");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  /** {@code union element}. */
  public static class element {

    element() {
      // Should not be called directly
    }

    private static final GroupLayout $LAYOUT =
        MemoryLayout.unionLayout(
            verbs_h.C_POINTER.withName("cq"),
            verbs_h.C_POINTER.withName("qp"),
            verbs_h.C_POINTER.withName("srq"),
            verbs_h.C_POINTER.withName("wq"),
            verbs_h.C_INT.withName("port_num"))
            .withName("element");

    public static final GroupLayout layout() {
      return $LAYOUT;
    }

    private static final AddressLayout cq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("cq"));
    private static final long cq$OFFSET = $LAYOUT.byteOffset(groupElement("cq"));
    public static final AddressLayout cq$layout() { return cq$LAYOUT; }
    public static final long cq$offset() { return cq$OFFSET; }
    public static MemorySegment cq(MemorySegment struct) { return struct.get(cq$LAYOUT, cq$OFFSET); }
    public static void cq(MemorySegment struct, MemorySegment fieldValue) { struct.set(cq$LAYOUT, cq$OFFSET, fieldValue); }

    private static final AddressLayout qp$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("qp"));
    private static final long qp$OFFSET = $LAYOUT.byteOffset(groupElement("qp"));
    public static final AddressLayout qp$layout() { return qp$LAYOUT; }
    public static final long qp$offset() { return qp$OFFSET; }
    public static MemorySegment qp(MemorySegment struct) { return struct.get(qp$LAYOUT, qp$OFFSET); }
    public static void qp(MemorySegment struct, MemorySegment fieldValue) { struct.set(qp$LAYOUT, qp$OFFSET, fieldValue); }

    private static final AddressLayout srq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("srq"));
    private static final long srq$OFFSET = $LAYOUT.byteOffset(groupElement("srq"));
    public static final AddressLayout srq$layout() { return srq$LAYOUT; }
    public static final long srq$offset() { return srq$OFFSET; }
    public static MemorySegment srq(MemorySegment struct) { return struct.get(srq$LAYOUT, srq$OFFSET); }
    public static void srq(MemorySegment struct, MemorySegment fieldValue) { struct.set(srq$LAYOUT, srq$OFFSET, fieldValue); }

    private static final AddressLayout wq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("wq"));
    private static final long wq$OFFSET = $LAYOUT.byteOffset(groupElement("wq"));
    public static final AddressLayout wq$layout() { return wq$LAYOUT; }
    public static final long wq$offset() { return wq$OFFSET; }
    public static MemorySegment wq(MemorySegment struct) { return struct.get(wq$LAYOUT, wq$OFFSET); }
    public static void wq(MemorySegment struct, MemorySegment fieldValue) { struct.set(wq$LAYOUT, wq$OFFSET, fieldValue); }

    private static final OfInt port_num$LAYOUT = (OfInt) $LAYOUT.select(groupElement("port_num"));
    private static final long port_num$OFFSET = $LAYOUT.byteOffset(groupElement("port_num"));
    public static final OfInt port_num$layout() { return port_num$LAYOUT; }
    public static final long port_num$offset() { return port_num$OFFSET; }
    public static int port_num(MemorySegment struct) { return struct.get(port_num$LAYOUT, port_num$OFFSET); }
    public static void port_num(MemorySegment struct, int fieldValue) { struct.set(port_num$LAYOUT, port_num$OFFSET, fieldValue); }

    public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
    public static long sizeof() { return layout().byteSize(); }
    public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
    public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
    public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
  }

  private static final GroupLayout element$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("element"));
  private static final long element$OFFSET = $LAYOUT.byteOffset(groupElement("element"));
  public static final GroupLayout element$layout() { return element$LAYOUT; }
  public static final long element$offset() { return element$OFFSET; }
  public static MemorySegment element(MemorySegment struct) { return struct.asSlice(element$OFFSET, element$LAYOUT.byteSize()); }
  public static void element(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, element$OFFSET, element$LAYOUT.byteSize()); }

  private static final OfInt event_type$LAYOUT = (OfInt) $LAYOUT.select(groupElement("event_type"));
  private static final long event_type$OFFSET = $LAYOUT.byteOffset(groupElement("event_type"));
  public static final OfInt event_type$layout() { return event_type$LAYOUT; }
  public static final long event_type$offset() { return event_type$OFFSET; }
  public static int event_type(MemorySegment struct) { return struct.get(event_type$LAYOUT, event_type$OFFSET); }
  public static void event_type(MemorySegment struct, int fieldValue) { struct.set(event_type$LAYOUT, event_type$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
