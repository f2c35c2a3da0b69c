// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.ValueLayout.OfLong;

/** {@code union ibv_gid}. */
public class ibv_gid {

  ibv_gid() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.unionLayout(
          MemoryLayout.sequenceLayout(16, verbs_h.C_CHAR).withName("raw"),
          global.layout().withName("global"))
          .withName("ibv_gid");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  /** {@code struct global}. */
  public static class global {

    global() {
      // Should not be called directly
    }

    private static final GroupLayout $LAYOUT =
        MemoryLayout.structLayout(
            verbs_h.C_LONG.withName("subnet_prefix"),
            verbs_h.C_LONG.withName("interface_id"))
            .withName("global");

    public static final GroupLayout layout() {
      return $LAYOUT;
    }

    private static final OfLong subnet_prefix$LAYOUT = (OfLong) $LAYOUT.select(groupElement("subnet_prefix"));
    private static final long subnet_prefix$OFFSET = $LAYOUT.byteOffset(groupElement("subnet_prefix"));
    public static final OfLong subnet_prefix$layout() { return subnet_prefix$LAYOUT; }
    public static final long subnet_prefix$offset() { return subnet_prefix$OFFSET; }
    public static long subnet_prefix(MemorySegment struct) { return struct.get(subnet_prefix$LAYOUT, subnet_prefix$OFFSET); }
    public static void subnet_prefix(MemorySegment struct, long fieldValue) { struct.set(subnet_prefix$LAYOUT, subnet_prefix$OFFSET, fieldValue); }

    private static final OfLong interface_id$LAYOUT = (OfLong) $LAYOUT.select(groupElement("interface_id"));
    private static final long interface_id$OFFSET = $LAYOUT.byteOffset(groupElement("interface_id"));
    public static final OfLong interface_id$layout() { return interface_id$LAYOUT; }
    public static final long interface_id$offset() { return interface_id$OFFSET; }
    public static long interface_id(MemorySegment struct) { return struct.get(interface_id$LAYOUT, interface_id$OFFSET); }
    public static void interface_id(MemorySegment struct, long fieldValue) { struct.set(interface_id$LAYOUT, interface_id$OFFSET, fieldValue); }

    public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
    public static long sizeof() { return layout().byteSize(); }
    public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
    public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
    public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
  }

  private static final SequenceLayout raw$LAYOUT = (SequenceLayout) $LAYOUT.select(groupElement("raw"));
  private static final long raw$OFFSET = $LAYOUT.byteOffset(groupElement("raw"));
  public static final SequenceLayout raw$layout() { return raw$LAYOUT; }
  public static final long raw$offset() { return raw$OFFSET; }
  public static MemorySegment raw(MemorySegment struct) { return struct.asSlice(raw$OFFSET, raw$LAYOUT.byteSize()); }
  public static void raw(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, raw$OFFSET, raw$LAYOUT.byteSize()); }

  private static final GroupLayout global$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("global"));
  private static final long global$OFFSET = $LAYOUT.byteOffset(groupElement("global"));
  public static final GroupLayout global$layout() { return global$LAYOUT; }
  public static final long global$offset() { return global$OFFSET; }
  public static MemorySegment global(MemorySegment struct) { return struct.asSlice(global$OFFSET, global$LAYOUT.byteSize()); }
  public static void global(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, global$OFFSET, global$LAYOUT.byteSize()); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
