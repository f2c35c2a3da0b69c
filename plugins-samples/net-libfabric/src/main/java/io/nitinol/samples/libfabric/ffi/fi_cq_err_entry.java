// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;

/** {@code struct fi_cq_err_entry}. */
public class fi_cq_err_entry {

  fi_cq_err_entry() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_POINTER.withName("op_context"),
          fabric_h.C_LONG.withName("flags"),
          fabric_h.C_LONG.withName("len"),
          fabric_h.C_POINTER.withName("buf"),
          fabric_h.C_LONG.withName("data"),
          fabric_h.C_LONG.withName("tag"),
          fabric_h.C_LONG.withName("olen"),
          fabric_h.C_INT.withName("err"),
          fabric_h.C_INT.withName("prov_errno"),
          fabric_h.C_POINTER.withName("err_data"),
          fabric_h.C_LONG.withName("err_data_size"))
          .withName("fi_cq_err_entry");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout op_context$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("op_context"));
  private static final long op_context$OFFSET = $LAYOUT.byteOffset(groupElement("op_context"));
  public static final AddressLayout op_context$layout() { return op_context$LAYOUT; }
  public static final long op_context$offset() { return op_context$OFFSET; }
  public static MemorySegment op_context(MemorySegment struct) { return struct.get(op_context$LAYOUT, op_context$OFFSET); }
  public static void op_context(MemorySegment struct, MemorySegment fieldValue) { struct.set(op_context$LAYOUT, op_context$OFFSET, fieldValue); }

  private static final OfLong flags$LAYOUT = (OfLong) $LAYOUT.select(groupElement("flags"));
  private static final long flags$OFFSET = $LAYOUT.byteOffset(groupElement("flags"));
  public static final OfLong flags$layout() { return flags$LAYOUT; }
  public static final long flags$offset() { return flags$OFFSET; }
  public static long flags(MemorySegment struct) { return struct.get(flags$LAYOUT, flags$OFFSET); }
  public static void flags(MemorySegment struct, long fieldValue) { struct.set(flags$LAYOUT, flags$OFFSET, fieldValue); }

  private static final OfLong len$LAYOUT = (OfLong) $LAYOUT.select(groupElement("len"));
  private static final long len$OFFSET = $LAYOUT.byteOffset(groupElement("len"));
  public static final OfLong len$layout() { return len$LAYOUT; }
  public static final long len$offset() { return len$OFFSET; }
  public static long len(MemorySegment struct) { return struct.get(len$LAYOUT, len$OFFSET); }
  public static void len(MemorySegment struct, long fieldValue) { struct.set(len$LAYOUT, len$OFFSET, fieldValue); }

  private static final AddressLayout buf$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("buf"));
  private static final long buf$OFFSET = $LAYOUT.byteOffset(groupElement("buf"));
  public static final AddressLayout buf$layout() { return buf$LAYOUT; }
  public static final long buf$offset() { return buf$OFFSET; }
  public static MemorySegment buf(MemorySegment struct) { return struct.get(buf$LAYOUT, buf$OFFSET); }
  public static void buf(MemorySegment struct, MemorySegment fieldValue) { struct.set(buf$LAYOUT, buf$OFFSET, fieldValue); }

  private static final OfLong data$LAYOUT = (OfLong) $LAYOUT.select(groupElement("data"));
  private static final long data$OFFSET = $LAYOUT.byteOffset(groupElement("data"));
  public static final OfLong data$layout() { return data$LAYOUT; }
  public static final long data$offset() { return data$OFFSET; }
  public static long data(MemorySegment struct) { return struct.get(data$LAYOUT, data$OFFSET); }
  public static void data(MemorySegment struct, long fieldValue) { struct.set(data$LAYOUT, data$OFFSET, fieldValue); }

  private static final OfLong tag$LAYOUT = (OfLong) $LAYOUT.select(groupElement("tag"));
  private static final long tag$OFFSET = $LAYOUT.byteOffset(groupElement("tag"));
  public static final OfLong tag$layout() { return tag$LAYOUT; }
  public static final long tag$offset() { return tag$OFFSET; }
  public static long tag(MemorySegment struct) { return struct.get(tag$LAYOUT, tag$OFFSET); }
  public static void tag(MemorySegment struct, long fieldValue) { struct.set(tag$LAYOUT, tag$OFFSET, fieldValue); }

  private static final OfLong olen$LAYOUT = (OfLong) $LAYOUT.select(groupElement("olen"));
  private static final long olen$OFFSET = $LAYOUT.byteOffset(groupElement("olen"));
  public static final OfLong olen$layout() { return olen$LAYOUT; }
  public static final long olen$offset() { return olen$OFFSET; }
  public static long olen(MemorySegment struct) { return struct.get(olen$LAYOUT, olen$OFFSET); }
  public static void olen(MemorySegment struct, long fieldValue) { struct.set(olen$LAYOUT, olen$OFFSET, fieldValue); }

  private static final OfInt err$LAYOUT = (OfInt) $LAYOUT.select(groupElement("err"));
  private static final long err$OFFSET = $LAYOUT.byteOffset(groupElement("err"));
  public static final OfInt err$layout() { return err$LAYOUT; }
  public static final long err$offset() { return err$OFFSET; }
  public static int err(MemorySegment struct) { return struct.get(err$LAYOUT, err$OFFSET); }
  public static void err(MemorySegment struct, int fieldValue) { struct.set(err$LAYOUT, err$OFFSET, fieldValue); }

  private static final OfInt prov_errno$LAYOUT = (OfInt) $LAYOUT.select(groupElement("prov_errno"));
  private static final long prov_errno$OFFSET = $LAYOUT.byteOffset(groupElement("prov_errno"));
  public static final OfInt prov_errno$layout() { return prov_errno$LAYOUT; }
  public static final long prov_errno$offset() { return prov_errno$OFFSET; }
  public static int prov_errno(MemorySegment struct) { return struct.get(prov_errno$LAYOUT, prov_errno$OFFSET); }
  public static void prov_errno(MemorySegment struct, int fieldValue) { struct.set(prov_errno$LAYOUT, prov_errno$OFFSET, fieldValue); }

  private static final AddressLayout err_data$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("err_data"));
  private static final long err_data$OFFSET = $LAYOUT.byteOffset(groupElement("err_data"));
  public static final AddressLayout err_data$layout() { return err_data$LAYOUT; }
  public static final long err_data$offset() { return err_data$OFFSET; }
  public static MemorySegment err_data(MemorySegment struct) { return struct.get(err_data$LAYOUT, err_data$OFFSET); }
  public static void err_data(MemorySegment struct, MemorySegment fieldValue) { struct.set(err_data$LAYOUT, err_data$OFFSET, fieldValue); }

  private static final OfLong err_data_size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("err_data_size"));
  private static final long err_data_size$OFFSET = $LAYOUT.byteOffset(groupElement("err_data_size"));
  public static final OfLong err_data_size$layout() { return err_data_size$LAYOUT; }
  public static final long err_data_size$offset() { return err_data_size$OFFSET; }
  public static long err_data_size(MemorySegment struct) { return struct.get(err_data_size$LAYOUT, err_data_size$OFFSET); }
  public static void err_data_size(MemorySegment struct, long fieldValue) { struct.set(err_data_size$LAYOUT, err_data_size$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
