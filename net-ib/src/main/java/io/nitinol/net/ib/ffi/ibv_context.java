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

/** {@code struct ibv_context}. */
public class ibv_context {

  ibv_context() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_POINTER.withName("device"),
          ibv_context_ops.layout().withName("ops"),
          verbs_h.C_INT.withName("cmd_fd"),
          verbs_h.C_INT.withName("async_fd"),
          verbs_h.C_INT.withName("num_comp_vectors"),
          MemoryLayout.paddingLayout(4),
          MemoryLayout.sequenceLayout(5, verbs_h.C_LONG).withName("mutex"),
          verbs_h.C_POINTER.withName("abi_compat"))
          .withName("ibv_context");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout device$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("device"));
  private static final long device$OFFSET = $LAYOUT.byteOffset(groupElement("device"));
  public static final AddressLayout device$layout() { return device$LAYOUT; }
  public static final long device$offset() { return device$OFFSET; }
  public static MemorySegment device(MemorySegment struct) { return struct.get(device$LAYOUT, device$OFFSET); }
  public static void device(MemorySegment struct, MemorySegment fieldValue) { struct.set(device$LAYOUT, device$OFFSET, fieldValue); }

  private static final GroupLayout ops$LAYOUT = (GroupLayout) $LAYOUT.select(groupElement("ops"));
  private static final long ops$OFFSET = $LAYOUT.byteOffset(groupElement("ops"));
  public static final GroupLayout ops$layout() { return ops$LAYOUT; }
  public static final long ops$offset() { return ops$OFFSET; }
  public static MemorySegment ops(MemorySegment struct) { return struct.asSlice(ops$OFFSET, ops$LAYOUT.byteSize()); }
  public static void ops(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, ops$OFFSET, ops$LAYOUT.byteSize()); }

  private static final OfInt cmd_fd$LAYOUT = (OfInt) $LAYOUT.select(groupElement("cmd_fd"));
  private static final long cmd_fd$OFFSET = $LAYOUT.byteOffset(groupElement("cmd_fd"));
  public static final OfInt cmd_fd$layout() { return cmd_fd$LAYOUT; }
  public static final long cmd_fd$offset() { return cmd_fd$OFFSET; }
  public static int cmd_fd(MemorySegment struct) { return struct.get(cmd_fd$LAYOUT, cmd_fd$OFFSET); }
  public static void cmd_fd(MemorySegment struct, int fieldValue) { struct.set(cmd_fd$LAYOUT, cmd_fd$OFFSET, fieldValue); }

  private static final OfInt async_fd$LAYOUT = (OfInt) $LAYOUT.select(groupElement("async_fd"));
  private static final long async_fd$OFFSET = $LAYOUT.byteOffset(groupElement("async_fd"));
  public static final OfInt async_fd$layout() { return async_fd$LAYOUT; }
  public static final long async_fd$offset() { return async_fd$OFFSET; }
  public static int async_fd(MemorySegment struct) { return struct.get(async_fd$LAYOUT, async_fd$OFFSET); }
  public static void async_fd(MemorySegment struct, int fieldValue) { struct.set(async_fd$LAYOUT, async_fd$OFFSET, fieldValue); }

  private static final OfInt num_comp_vectors$LAYOUT = (OfInt) $LAYOUT.select(groupElement("num_comp_vectors"));
  private static final long num_comp_vectors$OFFSET = $LAYOUT.byteOffset(groupElement("num_comp_vectors"));
  public static final OfInt num_comp_vectors$layout() { return num_comp_vectors$LAYOUT; }
  public static final long num_comp_vectors$offset() { return num_comp_vectors$OFFSET; }
  public static int num_comp_vectors(MemorySegment struct) { return struct.get(num_comp_vectors$LAYOUT, num_comp_vectors$OFFSET); }
  public static void num_comp_vectors(MemorySegment struct, int fieldValue) { struct.set(num_comp_vectors$LAYOUT, num_comp_vectors$OFFSET, fieldValue); }

  private static final SequenceLayout mutex$LAYOUT = (SequenceLayout) $LAYOUT.select(groupElement("mutex"));
  private static final long mutex$OFFSET = $LAYOUT.byteOffset(groupElement("mutex"));
  public static final SequenceLayout mutex$layout() { return mutex$LAYOUT; }
  public static final long mutex$offset() { return mutex$OFFSET; }
  public static MemorySegment mutex(MemorySegment struct) { return struct.asSlice(mutex$OFFSET, mutex$LAYOUT.byteSize()); }
  public static void mutex(MemorySegment struct, MemorySegment fieldValue) { MemorySegment.copy(fieldValue, 0L, struct, mutex$OFFSET, mutex$LAYOUT.byteSize()); }

  private static final AddressLayout abi_compat$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("abi_compat"));
  private static final long abi_compat$OFFSET = $LAYOUT.byteOffset(groupElement("abi_compat"));
  public static final AddressLayout abi_compat$layout() { return abi_compat$LAYOUT; }
  public static final long abi_compat$offset() { return abi_compat$OFFSET; }
  public static MemorySegment abi_compat(MemorySegment struct) { return struct.get(abi_compat$LAYOUT, abi_compat$OFFSET); }
  public static void abi_compat(MemorySegment struct, MemorySegment fieldValue) { struct.set(abi_compat$LAYOUT, abi_compat$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
