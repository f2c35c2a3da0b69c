// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfByte;
import java.lang.foreign.ValueLayout.OfShort;

/** {@code struct ibv_ah_attr}. */
public class ibv_ah_attr {

  ibv_ah_attr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          ibv_global_route.layout().withName("grh"),
          verbs_h.C_SHORT.withName("dlid"),
          verbs_h.C_CHAR.withName("sl"),
          verbs_h.C_CHAR.withName("src_path_bits"),
          verbs_h.C_CHAR.withName("static_rate"),
          verbs_h.C_CHAR.withName("is_global"),
          verbs_h.C_CHAR.withName("port_num"),
          MemoryLayout.paddingLayout(1))
          .withName("ibv_ah_attr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final GroupLayout grh$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("grh"));
  private static final long grh$OFFSET = $LAYOUT.byteOffset(groupElement("grh"));
  public static final GroupLayout grh$layout() { return grh$LAYOUT; }
  public static final long grh$offset() { return grh$OFFSET; }
  public static MemorySegment grh(MemorySegment struct) { return struct.asSlice(grh$OFFSET, grh$LAYOUT.byteSize()); }
  public static void grh(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, grh$OFFSET, grh$LAYOUT.byteSize()); }

  private static final OfShort dlid$LAYOUT = (OfShort) $LAYOUT.select(groupElement("dlid"));
  private static final long dlid$OFFSET = $LAYOUT.byteOffset(groupElement("dlid"));
  public static final OfShort dlid$layout() { return dlid$LAYOUT; }
  public static final long dlid$offset() { return dlid$OFFSET; }
  public static short dlid(MemorySegment struct) { return struct.get(dlid$LAYOUT, dlid$OFFSET); }
  public static void dlid(MemorySegment struct, short fieldValue) { struct.set(dlid$LAYOUT, dlid$OFFSET, fieldValue); }

  private static final OfByte sl$LAYOUT = (OfByte) $LAYOUT.select(groupElement("sl"));
  private static final long sl$OFFSET = $LAYOUT.byteOffset(groupElement("sl"));
  public static final OfByte sl$layout() { return sl$LAYOUT; }
  public static final long sl$offset() { return sl$OFFSET; }
  public static byte sl(MemorySegment struct) { return struct.get(sl$LAYOUT, sl$OFFSET); }
  public static void sl(MemorySegment struct, byte fieldValue) { struct.set(sl$LAYOUT, sl$OFFSET, fieldValue); }

  private static final OfByte src_path_bits$LAYOUT = (OfByte) $LAYOUT.select(groupElement("src_path_bits"));
  private static final long src_path_bits$OFFSET = $LAYOUT.byteOffset(groupElement("src_path_bits"));
  public static final OfByte src_path_bits$layout() { return src_path_bits$LAYOUT; }
  public static final long src_path_bits$offset() { return src_path_bits$OFFSET; }
  public static byte src_path_bits(MemorySegment struct) { return struct.get(src_path_bits$LAYOUT, src_path_bits$OFFSET); }
  public static void src_path_bits(MemorySegment struct, byte fieldValue) { struct.set(src_path_bits$LAYOUT, src_path_bits$OFFSET, fieldValue); }

  private static final OfByte static_rate$LAYOUT = (OfByte) $LAYOUT.select(groupElement("static_rate"));
  private static final long static_rate$OFFSET = $LAYOUT.byteOffset(groupElement("static_rate"));
  public static final OfByte static_rate$layout() { return static_rate$LAYOUT; }
  public static final long static_rate$offset() { return static_rate$OFFSET; }
  public static byte static_rate(MemorySegment struct) { return struct.get(static_rate$LAYOUT, static_rate$OFFSET); }
  public static void static_rate(MemorySegment struct, byte fieldValue) { struct.set(static_rate$LAYOUT, static_rate$OFFSET, fieldValue); }

  private static final OfByte is_global$LAYOUT = (OfByte) $LAYOUT.select(groupElement("is_global"));
  private static final long is_global$OFFSET = $LAYOUT.byteOffset(groupElement("is_global"));
  public static final OfByte is_global$layout() { return is_global$LAYOUT; }
  public static final long is_global$offset() { return is_global$OFFSET; }
  public static byte is_global(MemorySegment struct) { return struct.get(is_global$LAYOUT, is_global$OFFSET); }
  public static void is_global(MemorySegment struct, byte fieldValue) { struct.set(is_global$LAYOUT, is_global$OFFSET, fieldValue); }

  private static final OfByte port_num$LAYOUT = (OfByte) $LAYOUT.select(groupElement("port_num"));
  private static final long port_num$OFFSET = $LAYOUT.byteOffset(groupElement("port_num"));
  public static final OfByte port_num$layout() { return port_num$LAYOUT; }
  public static final long port_num$offset() { return port_num$OFFSET; }
  public static byte port_num(MemorySegment struct) { return struct.get(port_num$LAYOUT, port_num$OFFSET); }
  public static void port_num(MemorySegment struct, byte fieldValue) { struct.set(port_num$LAYOUT, port_num$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
