// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.ValueLayout.OfInt;

/** {@code struct ibv_device}. */
public class ibv_device {

  ibv_device() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          _ibv_device_ops.layout().withName("_ops"),
          verbs_h.C_INT.withName("node_type"),
          verbs_h.C_INT.withName("transport_type"),
          MemoryLayout.sequenceLayout(64, verbs_h.C_CHAR).withName("name"),
          MemoryLayout.sequenceLayout(64, verbs_h.C_CHAR).withName("dev_name"),
          MemoryLayout.sequenceLayout(256, verbs_h.C_CHAR).withName("dev_path"),
          MemoryLayout.sequenceLayout(256, verbs_h.C_CHAR).withName("ibdev_path"))
          .withName("ibv_device");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final GroupLayout _ops$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("_ops"));
  private static final long _ops$OFFSET = $LAYOUT.byteOffset(groupElement("_ops"));
  public static final GroupLayout _ops$layout() { return _ops$LAYOUT; }
  public static final long _ops$offset() { return _ops$OFFSET; }
  public static MemorySegment _ops(MemorySegment struct) { return struct.asSlice(_ops$OFFSET, _ops$LAYOUT.byteSize()); }
  public static void _ops(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, _ops$OFFSET, _ops$LAYOUT.byteSize()); }

  private static final OfInt node_type$LAYOUT = (OfInt) $LAYOUT.select(groupElement("node_type"));
  private static final long node_type$OFFSET = $LAYOUT.byteOffset(groupElement("node_type"));
  public static final OfInt node_type$layout() { return node_type$LAYOUT; }
  public static final long node_type$offset() { return node_type$OFFSET; }
  public static int node_type(MemorySegment struct) { return struct.get(node_type$LAYOUT, node_type$OFFSET); }
  public static void node_type(MemorySegment struct, int fieldValue) { struct.set(node_type$LAYOUT, node_type$OFFSET, fieldValue); }

  private static final OfInt transport_type$LAYOUT = (OfInt) $LAYOUT.select(groupElement("transport_type"));
  private static final long transport_type$OFFSET = $LAYOUT.byteOffset(groupElement("transport_type"));
  public static final OfInt transport_type$layout() { return transport_type$LAYOUT; }
  public static final long transport_type$offset() { return transport_type$OFFSET; }
  public static int transport_type(MemorySegment struct) { return struct.get(transport_type$LAYOUT, transport_type$OFFSET); }
  public static void transport_type(MemorySegment struct, int fieldValue) { struct.set(transport_type$LAYOUT, transport_type$OFFSET, fieldValue); }

  private static final SequenceLayout name$LAYOUT = (SequenceLayout) $LAYOUT.select(groupElement("name"));
  private static final long name$OFFSET = $LAYOUT.byteOffset(groupElement("name"));
  public static final SequenceLayout name$layout() { return name$LAYOUT; }
  public static final long name$offset() { return name$OFFSET; }
  public static MemorySegment name(MemorySegment struct) { return struct.asSlice(name$OFFSET, name$LAYOUT.byteSize()); }
  public static void name(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, name$OFFSET, name$LAYOUT.byteSize()); }

  private static final SequenceLayout dev_name$LAYOUT = (SequenceLayout) $LAYOUT.select(groupElement("dev_name"));
  private static final long dev_name$OFFSET = $LAYOUT.byteOffset(groupElement("dev_name"));
  public static final SequenceLayout dev_name$layout() { return dev_name$LAYOUT; }
  public static final long dev_name$offset() { return dev_name$OFFSET; }
  public static MemorySegment dev_name(MemorySegment struct) { return struct.asSlice(dev_name$OFFSET, dev_name$LAYOUT.byteSize()); }
  public static void dev_name(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, dev_name$OFFSET, dev_name$LAYOUT.byteSize()); }

  private static final SequenceLayout dev_path$LAYOUT = (SequenceLayout) $LAYOUT.select(groupElement("dev_path"));
  private static final long dev_path$OFFSET = $LAYOUT.byteOffset(groupElement("dev_path"));
  public static final SequenceLayout dev_path$layout() { return dev_path$LAYOUT; }
  public static final long dev_path$offset() { return dev_path$OFFSET; }
  public static MemorySegment dev_path(MemorySegment struct) { return struct.asSlice(dev_path$OFFSET, dev_path$LAYOUT.byteSize()); }
  public static void dev_path(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, dev_path$OFFSET, dev_path$LAYOUT.byteSize()); }

  private static final SequenceLayout ibdev_path$LAYOUT = (SequenceLayout) $LAYOUT.select(groupElement("ibdev_path"));
  private static final long ibdev_path$OFFSET = $LAYOUT.byteOffset(groupElement("ibdev_path"));
  public static final SequenceLayout ibdev_path$layout() { return ibdev_path$LAYOUT; }
  public static final long ibdev_path$offset() { return ibdev_path$OFFSET; }
  public static MemorySegment ibdev_path(MemorySegment struct) { return struct.asSlice(ibdev_path$OFFSET, ibdev_path$LAYOUT.byteSize()); }
  public static void ibdev_path(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, ibdev_path$OFFSET, ibdev_path$LAYOUT.byteSize()); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
