// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;

/** The beginning of {@code struct fi_ep_attr}. */
public class fi_ep_attr {

  fi_ep_attr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_INT.withName("type"),
          fabric_h.C_INT.withName("protocol"),
          fabric_h.C_INT.withName("protocol_version"),
          MemoryLayout.paddingLayout(4),
          fabric_h.C_LONG.withName("max_msg_size"),
          fabric_h.C_LONG.withName("msg_prefix_size"),
          fabric_h.C_LONG.withName("max_order_raw_size"),
          fabric_h.C_LONG.withName("max_order_war_size"),
          fabric_h.C_LONG.withName("max_order_waw_size"),
          fabric_h.C_LONG.withName("mem_tag_format"))
          .withName("fi_ep_attr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfInt type$LAYOUT = (OfInt) $LAYOUT.select(groupElement("type"));
  private static final long type$OFFSET = $LAYOUT.byteOffset(groupElement("type"));
  public static final OfInt type$layout() { return type$LAYOUT; }
  public static final long type$offset() { return type$OFFSET; }
  public static int type(MemorySegment struct) { return struct.get(type$LAYOUT, type$OFFSET); }
  public static void type(MemorySegment struct, int fieldValue) { struct.set(type$LAYOUT, type$OFFSET, fieldValue); }

  private static final OfInt protocol$LAYOUT = (OfInt) $LAYOUT.select(groupElement("protocol"));
  private static final long protocol$OFFSET = $LAYOUT.byteOffset(groupElement("protocol"));
  public static final OfInt protocol$layout() { return protocol$LAYOUT; }
  public static final long protocol$offset() { return protocol$OFFSET; }
  public static int protocol(MemorySegment struct) { return struct.get(protocol$LAYOUT, protocol$OFFSET); }
  public static void protocol(MemorySegment struct, int fieldValue) { struct.set(protocol$LAYOUT, protocol$OFFSET, fieldValue); }

  private static final OfInt protocol_version$LAYOUT = (OfInt) $LAYOUT.select(groupElement("protocol_version"));
  private static final long protocol_version$OFFSET = $LAYOUT.byteOffset(groupElement("protocol_version"));
  public static final OfInt protocol_version$layout() { return protocol_version$LAYOUT; }
  public static final long protocol_version$offset() { return protocol_version$OFFSET; }
  public static int protocol_version(MemorySegment struct) { return struct.get(protocol_version$LAYOUT, protocol_version$OFFSET); }
  public static void protocol_version(MemorySegment struct, int fieldValue) { struct.set(protocol_version$LAYOUT, protocol_version$OFFSET, fieldValue); }

  private static final OfLong max_msg_size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("max_msg_size"));
  private static final long max_msg_size$OFFSET = $LAYOUT.byteOffset(groupElement("max_msg_size"));
  public static final OfLong max_msg_size$layout() { return max_msg_size$LAYOUT; }
  public static final long max_msg_size$offset() { return max_msg_size$OFFSET; }
  public static long max_msg_size(MemorySegment struct) { return struct.get(max_msg_size$LAYOUT, max_msg_size$OFFSET); }
  public static void max_msg_size(MemorySegment struct, long fieldValue) { struct.set(max_msg_size$LAYOUT, max_msg_size$OFFSET, fieldValue); }

  private static final OfLong msg_prefix_size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("msg_prefix_size"));
  private static final long msg_prefix_size$OFFSET = $LAYOUT.byteOffset(groupElement("msg_prefix_size"));
  public static final OfLong msg_prefix_size$layout() { return msg_prefix_size$LAYOUT; }
  public static final long msg_prefix_size$offset() { return msg_prefix_size$OFFSET; }
  public static long msg_prefix_size(MemorySegment struct) { return struct.get(msg_prefix_size$LAYOUT, msg_prefix_size$OFFSET); }
  public static void msg_prefix_size(MemorySegment struct, long fieldValue) { struct.set(msg_prefix_size$LAYOUT, msg_prefix_size$OFFSET, fieldValue); }

  private static final OfLong max_order_raw_size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("max_order_raw_size"));
  private static final long max_order_raw_size$OFFSET = $LAYOUT.byteOffset(groupElement("max_order_raw_size"));
  public static final OfLong max_order_raw_size$layout() { return max_order_raw_size$LAYOUT; }
  public static final long max_order_raw_size$offset() { return max_order_raw_size$OFFSET; }
  public static long max_order_raw_size(MemorySegment struct) { return struct.get(max_order_raw_size$LAYOUT, max_order_raw_size$OFFSET); }
  public static void max_order_raw_size(MemorySegment struct, long fieldValue) { struct.set(max_order_raw_size$LAYOUT, max_order_raw_size$OFFSET, fieldValue); }

  private static final OfLong max_order_war_size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("max_order_war_size"));
  private static final long max_order_war_size$OFFSET = $LAYOUT.byteOffset(groupElement("max_order_war_size"));
  public static final OfLong max_order_war_size$layout() { return max_order_war_size$LAYOUT; }
  public static final long max_order_war_size$offset() { return max_order_war_size$OFFSET; }
  public static long max_order_war_size(MemorySegment struct) { return struct.get(max_order_war_size$LAYOUT, max_order_war_size$OFFSET); }
  public static void max_order_war_size(MemorySegment struct, long fieldValue) { struct.set(max_order_war_size$LAYOUT, max_order_war_size$OFFSET, fieldValue); }

  private static final OfLong max_order_waw_size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("max_order_waw_size"));
  private static final long max_order_waw_size$OFFSET = $LAYOUT.byteOffset(groupElement("max_order_waw_size"));
  public static final OfLong max_order_waw_size$layout() { return max_order_waw_size$LAYOUT; }
  public static final long max_order_waw_size$offset() { return max_order_waw_size$OFFSET; }
  public static long max_order_waw_size(MemorySegment struct) { return struct.get(max_order_waw_size$LAYOUT, max_order_waw_size$OFFSET); }
  public static void max_order_waw_size(MemorySegment struct, long fieldValue) { struct.set(max_order_waw_size$LAYOUT, max_order_waw_size$OFFSET, fieldValue); }

  private static final OfLong mem_tag_format$LAYOUT = (OfLong) $LAYOUT.select(groupElement("mem_tag_format"));
  private static final long mem_tag_format$OFFSET = $LAYOUT.byteOffset(groupElement("mem_tag_format"));
  public static final OfLong mem_tag_format$layout() { return mem_tag_format$LAYOUT; }
  public static final long mem_tag_format$offset() { return mem_tag_format$OFFSET; }
  public static long mem_tag_format(MemorySegment struct) { return struct.get(mem_tag_format$LAYOUT, mem_tag_format$OFFSET); }
  public static void mem_tag_format(MemorySegment struct, long fieldValue) { struct.set(mem_tag_format$LAYOUT, mem_tag_format$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
