// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfByte;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct ibv_global_route}. */
public class ibv_global_route {

  ibv_global_route() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          ibv_gid.layout().withName("dgid"),
          verbs_h.C_INT.withName("flow_label"),
          verbs_h.C_CHAR.withName("sgid_index"),
          verbs_h.C_CHAR.withName("hop_limit"),
          verbs_h.C_CHAR.withName("traffic_class"),
          MemoryLayout.paddingLayout(1))
          .withName("ibv_global_route");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final GroupLayout dgid$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("dgid"));
  private static final long dgid$OFFSET = $LAYOUT.byteOffset(groupElement("dgid"));
  public static final GroupLayout dgid$layout() { return dgid$LAYOUT; }
  public static final long dgid$offset() { return dgid$OFFSET; }
  public static MemorySegment dgid(MemorySegment struct) { return struct.asSlice(dgid$OFFSET, dgid$LAYOUT.byteSize()); }
  public static void dgid(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, dgid$OFFSET, dgid$LAYOUT.byteSize()); }

  private static final OfInt flow_label$LAYOUT = (OfInt) $LAYOUT.select(groupElement("flow_label"));
  private static final long flow_label$OFFSET = $LAYOUT.byteOffset(groupElement("flow_label"));
  public static final OfInt flow_label$layout() { return flow_label$LAYOUT; }
  public static final long flow_label$offset() { return flow_label$OFFSET; }
  public static int flow_label(MemorySegment struct) { return struct.get(flow_label$LAYOUT, flow_label$OFFSET); }
  public static void flow_label(MemorySegment struct, int fieldValue) { struct.set(flow_label$LAYOUT, flow_label$OFFSET, fieldValue); }

  private static final OfByte sgid_index$LAYOUT = (OfByte) $LAYOUT.select(groupElement("sgid_index"));
  private static final long sgid_index$OFFSET = $LAYOUT.byteOffset(groupElement("sgid_index"));
  public static final OfByte sgid_index$layout() { return sgid_index$LAYOUT; }
  public static final long sgid_index$offset() { return sgid_index$OFFSET; }
  public static byte sgid_index(MemorySegment struct) { return struct.get(sgid_index$LAYOUT, sgid_index$OFFSET); }
  public static void sgid_index(MemorySegment struct, byte fieldValue) { struct.set(sgid_index$LAYOUT, sgid_index$OFFSET, fieldValue); }

  private static final OfByte hop_limit$LAYOUT = (OfByte) $LAYOUT.select(groupElement("hop_limit"));
  private static final long hop_limit$OFFSET = $LAYOUT.byteOffset(groupElement("hop_limit"));
  public static final OfByte hop_limit$layout() { return hop_limit$LAYOUT; }
  public static final long hop_limit$offset() { return hop_limit$OFFSET; }
  public static byte hop_limit(MemorySegment struct) { return struct.get(hop_limit$LAYOUT, hop_limit$OFFSET); }
  public static void hop_limit(MemorySegment struct, byte fieldValue) { struct.set(hop_limit$LAYOUT, hop_limit$OFFSET, fieldValue); }

  private static final OfByte traffic_class$LAYOUT = (OfByte) $LAYOUT.select(groupElement("traffic_class"));
  private static final long traffic_class$OFFSET = $LAYOUT.byteOffset(groupElement("traffic_class"));
  public static final OfByte traffic_class$layout() { return traffic_class$LAYOUT; }
  public static final long traffic_class$offset() { return traffic_class$OFFSET; }
  public static byte traffic_class(MemorySegment struct) { return struct.get(traffic_class$LAYOUT, traffic_class$OFFSET); }
  public static void traffic_class(MemorySegment struct, byte fieldValue) { struct.set(traffic_class$LAYOUT, traffic_class$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
