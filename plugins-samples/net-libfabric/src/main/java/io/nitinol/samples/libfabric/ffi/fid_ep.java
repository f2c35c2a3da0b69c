// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** The beginning of {@code struct fid_ep}. */
public class fid_ep {

  fid_ep() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          io.nitinol.samples.libfabric.ffi.fid.layout().withName("fid"),
          fabric_h.C_POINTER.withName("ops"),
          fabric_h.C_POINTER.withName("cm"),
          fabric_h.C_POINTER.withName("msg"),
          fabric_h.C_POINTER.withName("rma"),
          fabric_h.C_POINTER.withName("tagged"))
          .withName("fid_ep");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout ops$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("ops"));
  private static final long ops$OFFSET = $LAYOUT.byteOffset(groupElement("ops"));
  public static final AddressLayout ops$layout() { return ops$LAYOUT; }
  public static final long ops$offset() { return ops$OFFSET; }
  public static MemorySegment ops(MemorySegment struct) { return struct.get(ops$LAYOUT, ops$OFFSET); }
  public static void ops(MemorySegment struct, MemorySegment fieldValue) { struct.set(ops$LAYOUT, ops$OFFSET, fieldValue); }

  private static final AddressLayout cm$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("cm"));
  private static final long cm$OFFSET = $LAYOUT.byteOffset(groupElement("cm"));
  public static final AddressLayout cm$layout() { return cm$LAYOUT; }
  public static final long cm$offset() { return cm$OFFSET; }
  public static MemorySegment cm(MemorySegment struct) { return struct.get(cm$LAYOUT, cm$OFFSET); }
  public static void cm(MemorySegment struct, MemorySegment fieldValue) { struct.set(cm$LAYOUT, cm$OFFSET, fieldValue); }

  private static final AddressLayout msg$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("msg"));
  private static final long msg$OFFSET = $LAYOUT.byteOffset(groupElement("msg"));
  public static final AddressLayout msg$layout() { return msg$LAYOUT; }
  public static final long msg$offset() { return msg$OFFSET; }
  public static MemorySegment msg(MemorySegment struct) { return struct.get(msg$LAYOUT, msg$OFFSET); }
  public static void msg(MemorySegment struct, MemorySegment fieldValue) { struct.set(msg$LAYOUT, msg$OFFSET, fieldValue); }

  private static final AddressLayout rma$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("rma"));
  private static final long rma$OFFSET = $LAYOUT.byteOffset(groupElement("rma"));
  public static final AddressLayout rma$layout() { return rma$LAYOUT; }
  public static final long rma$offset() { return rma$OFFSET; }
  public static MemorySegment rma(MemorySegment struct) { return struct.get(rma$LAYOUT, rma$OFFSET); }
  public static void rma(MemorySegment struct, MemorySegment fieldValue) { struct.set(rma$LAYOUT, rma$OFFSET, fieldValue); }

  private static final AddressLayout tagged$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("tagged"));
  private static final long tagged$OFFSET = $LAYOUT.byteOffset(groupElement("tagged"));
  public static final AddressLayout tagged$layout() { return tagged$LAYOUT; }
  public static final long tagged$offset() { return tagged$OFFSET; }
  public static MemorySegment tagged(MemorySegment struct) { return struct.get(tagged$LAYOUT, tagged$OFFSET); }
  public static void tagged(MemorySegment struct, MemorySegment fieldValue) { struct.set(tagged$LAYOUT, tagged$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
