// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfLong;

/** The beginning of {@code struct fi_ops_tagged}. */
public class fi_ops_tagged {

  fi_ops_tagged() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_LONG.withName("size"),
          fabric_h.C_POINTER.withName("recv"),
          fabric_h.C_POINTER.withName("recvv"),
          fabric_h.C_POINTER.withName("recvmsg"),
          fabric_h.C_POINTER.withName("send"),
          fabric_h.C_POINTER.withName("sendv"),
          fabric_h.C_POINTER.withName("sendmsg"),
          fabric_h.C_POINTER.withName("inject"))
          .withName("fi_ops_tagged");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("size"));
  private static final long size$OFFSET = $LAYOUT.byteOffset(groupElement("size"));
  public static final OfLong size$layout() { return size$LAYOUT; }
  public static final long size$offset() { return size$OFFSET; }
  public static long size(MemorySegment struct) { return struct.get(size$LAYOUT, size$OFFSET); }
  public static void size(MemorySegment struct, long fieldValue) { struct.set(size$LAYOUT, size$OFFSET, fieldValue); }

  private static final AddressLayout recv$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("recv"));
  private static final long recv$OFFSET = $LAYOUT.byteOffset(groupElement("recv"));
  public static final AddressLayout recv$layout() { return recv$LAYOUT; }
  public static final long recv$offset() { return recv$OFFSET; }
  public static MemorySegment recv(MemorySegment struct) { return struct.get(recv$LAYOUT, recv$OFFSET); }
  public static void recv(MemorySegment struct, MemorySegment fieldValue) { struct.set(recv$LAYOUT, recv$OFFSET, fieldValue); }

  private static final AddressLayout recvv$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("recvv"));
  private static final long recvv$OFFSET = $LAYOUT.byteOffset(groupElement("recvv"));
  public static final AddressLayout recvv$layout() { return recvv$LAYOUT; }
  public static final long recvv$offset() { return recvv$OFFSET; }
  public static MemorySegment recvv(MemorySegment struct) { return struct.get(recvv$LAYOUT, recvv$OFFSET); }
  public static void recvv(MemorySegment struct, MemorySegment fieldValue) { struct.set(recvv$LAYOUT, recvv$OFFSET, fieldValue); }

  private static final AddressLayout recvmsg$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("recvmsg"));
  private static final long recvmsg$OFFSET = $LAYOUT.byteOffset(groupElement("recvmsg"));
  public static final AddressLayout recvmsg$layout() { return recvmsg$LAYOUT; }
  public static final long recvmsg$offset() { return recvmsg$OFFSET; }
  public static MemorySegment recvmsg(MemorySegment struct) { return struct.get(recvmsg$LAYOUT, recvmsg$OFFSET); }
  public static void recvmsg(MemorySegment struct, MemorySegment fieldValue) { struct.set(recvmsg$LAYOUT, recvmsg$OFFSET, fieldValue); }

  private static final AddressLayout send$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("send"));
  private static final long send$OFFSET = $LAYOUT.byteOffset(groupElement("send"));
  public static final AddressLayout send$layout() { return send$LAYOUT; }
  public static final long send$offset() { return send$OFFSET; }
  public static MemorySegment send(MemorySegment struct) { return struct.get(send$LAYOUT, send$OFFSET); }
  public static void send(MemorySegment struct, MemorySegment fieldValue) { struct.set(send$LAYOUT, send$OFFSET, fieldValue); }

  private static final AddressLayout sendv$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("sendv"));
  private static final long sendv$OFFSET = $LAYOUT.byteOffset(groupElement("sendv"));
  public static final AddressLayout sendv$layout() { return sendv$LAYOUT; }
  public static final long sendv$offset() { return sendv$OFFSET; }
  public static MemorySegment sendv(MemorySegment struct) { return struct.get(sendv$LAYOUT, sendv$OFFSET); }
  public static void sendv(MemorySegment struct, MemorySegment fieldValue) { struct.set(sendv$LAYOUT, sendv$OFFSET, fieldValue); }

  private static final AddressLayout sendmsg$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("sendmsg"));
  private static final long sendmsg$OFFSET = $LAYOUT.byteOffset(groupElement("sendmsg"));
  public static final AddressLayout sendmsg$layout() { return sendmsg$LAYOUT; }
  public static final long sendmsg$offset() { return sendmsg$OFFSET; }
  public static MemorySegment sendmsg(MemorySegment struct) { return struct.get(sendmsg$LAYOUT, sendmsg$OFFSET); }
  public static void sendmsg(MemorySegment struct, MemorySegment fieldValue) { struct.set(sendmsg$LAYOUT, sendmsg$OFFSET, fieldValue); }

  private static final AddressLayout inject$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("inject"));
  private static final long inject$OFFSET = $LAYOUT.byteOffset(groupElement("inject"));
  public static final AddressLayout inject$layout() { return inject$LAYOUT; }
  public static final long inject$offset() { return inject$OFFSET; }
  public static MemorySegment inject(MemorySegment struct) { return struct.get(inject$LAYOUT, inject$OFFSET); }
  public static void inject(MemorySegment struct, MemorySegment fieldValue) { struct.set(inject$LAYOUT, inject$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
