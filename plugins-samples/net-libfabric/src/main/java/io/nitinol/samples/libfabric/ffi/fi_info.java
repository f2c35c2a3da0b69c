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

/** {@code struct fi_info}. */
public class fi_info {

  fi_info() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_POINTER.withName("next"),
          fabric_h.C_LONG.withName("caps"),
          fabric_h.C_LONG.withName("mode"),
          fabric_h.C_INT.withName("addr_format"),
          MemoryLayout.paddingLayout(4),
          fabric_h.C_LONG.withName("src_addrlen"),
          fabric_h.C_LONG.withName("dest_addrlen"),
          fabric_h.C_POINTER.withName("src_addr"),
          fabric_h.C_POINTER.withName("dest_addr"),
          fabric_h.C_POINTER.withName("handle"),
          fabric_h.C_POINTER.withName("tx_attr"),
          fabric_h.C_POINTER.withName("rx_attr"),
          fabric_h.C_POINTER.withName("ep_attr"),
          fabric_h.C_POINTER.withName("domain_attr"),
          fabric_h.C_POINTER.withName("fabric_attr"),
          fabric_h.C_POINTER.withName("nic"))
          .withName("fi_info");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout next$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("next"));
  private static final long next$OFFSET = $LAYOUT.byteOffset(groupElement("next"));
  public static final AddressLayout next$layout() { return next$LAYOUT; }
  public static final long next$offset() { return next$OFFSET; }
  public static MemorySegment next(MemorySegment struct) { return struct.get(next$LAYOUT, next$OFFSET); }
  public static void next(MemorySegment struct, MemorySegment fieldValue) { struct.set(next$LAYOUT, next$OFFSET, fieldValue); }

  private static final OfLong caps$LAYOUT = (OfLong) $LAYOUT.select(groupElement("caps"));
  private static final long caps$OFFSET = $LAYOUT.byteOffset(groupElement("caps"));
  public static final OfLong caps$layout() { return caps$LAYOUT; }
  public static final long caps$offset() { return caps$OFFSET; }
  public static long caps(MemorySegment struct) { return struct.get(caps$LAYOUT, caps$OFFSET); }
  public static void caps(MemorySegment struct, long fieldValue) { struct.set(caps$LAYOUT, caps$OFFSET, fieldValue); }

  private static final OfLong mode$LAYOUT = (OfLong) $LAYOUT.select(groupElement("mode"));
  private static final long mode$OFFSET = $LAYOUT.byteOffset(groupElement("mode"));
  public static final OfLong mode$layout() { return mode$LAYOUT; }
  public static final long mode$offset() { return mode$OFFSET; }
  public static long mode(MemorySegment struct) { return struct.get(mode$LAYOUT, mode$OFFSET); }
  public static void mode(MemorySegment struct, long fieldValue) { struct.set(mode$LAYOUT, mode$OFFSET, fieldValue); }

  private static final OfInt addr_format$LAYOUT = (OfInt) $LAYOUT.select(groupElement("addr_format"));
  private static final long addr_format$OFFSET = $LAYOUT.byteOffset(groupElement("addr_format"));
  public static final OfInt addr_format$layout() { return addr_format$LAYOUT; }
  public static final long addr_format$offset() { return addr_format$OFFSET; }
  public static int addr_format(MemorySegment struct) { return struct.get(addr_format$LAYOUT, addr_format$OFFSET); }
  public static void addr_format(MemorySegment struct, int fieldValue) { struct.set(addr_format$LAYOUT, addr_format$OFFSET, fieldValue); }

  private static final OfLong src_addrlen$LAYOUT = (OfLong) $LAYOUT.select(groupElement("src_addrlen"));
  private static final long src_addrlen$OFFSET = $LAYOUT.byteOffset(groupElement("src_addrlen"));
  public static final OfLong src_addrlen$layout() { return src_addrlen$LAYOUT; }
  public static final long src_addrlen$offset() { return src_addrlen$OFFSET; }
  public static long src_addrlen(MemorySegment struct) { return struct.get(src_addrlen$LAYOUT, src_addrlen$OFFSET); }
  public static void src_addrlen(MemorySegment struct, long fieldValue) { struct.set(src_addrlen$LAYOUT, src_addrlen$OFFSET, fieldValue); }

  private static final OfLong dest_addrlen$LAYOUT = (OfLong) $LAYOUT.select(groupElement("dest_addrlen"));
  private static final long dest_addrlen$OFFSET = $LAYOUT.byteOffset(groupElement("dest_addrlen"));
  public static final OfLong dest_addrlen$layout() { return dest_addrlen$LAYOUT; }
  public static final long dest_addrlen$offset() { return dest_addrlen$OFFSET; }
  public static long dest_addrlen(MemorySegment struct) { return struct.get(dest_addrlen$LAYOUT, dest_addrlen$OFFSET); }
  public static void dest_addrlen(MemorySegment struct, long fieldValue) { struct.set(dest_addrlen$LAYOUT, dest_addrlen$OFFSET, fieldValue); }

  private static final AddressLayout src_addr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("src_addr"));
  private static final long src_addr$OFFSET = $LAYOUT.byteOffset(groupElement("src_addr"));
  public static final AddressLayout src_addr$layout() { return src_addr$LAYOUT; }
  public static final long src_addr$offset() { return src_addr$OFFSET; }
  public static MemorySegment src_addr(MemorySegment struct) { return struct.get(src_addr$LAYOUT, src_addr$OFFSET); }
  public static void src_addr(MemorySegment struct, MemorySegment fieldValue) { struct.set(src_addr$LAYOUT, src_addr$OFFSET, fieldValue); }

  private static final AddressLayout dest_addr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("dest_addr"));
  private static final long dest_addr$OFFSET = $LAYOUT.byteOffset(groupElement("dest_addr"));
  public static final AddressLayout dest_addr$layout() { return dest_addr$LAYOUT; }
  public static final long dest_addr$offset() { return dest_addr$OFFSET; }
  public static MemorySegment dest_addr(MemorySegment struct) { return struct.get(dest_addr$LAYOUT, dest_addr$OFFSET); }
  public static void dest_addr(MemorySegment struct, MemorySegment fieldValue) { struct.set(dest_addr$LAYOUT, dest_addr$OFFSET, fieldValue); }

  private static final AddressLayout handle$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("handle"));
  private static final long handle$OFFSET = $LAYOUT.byteOffset(groupElement("handle"));
  public static final AddressLayout handle$layout() { return handle$LAYOUT; }
  public static final long handle$offset() { return handle$OFFSET; }
  public static MemorySegment handle(MemorySegment struct) { return struct.get(handle$LAYOUT, handle$OFFSET); }
  public static void handle(MemorySegment struct, MemorySegment fieldValue) { struct.set(handle$LAYOUT, handle$OFFSET, fieldValue); }

  private static final AddressLayout tx_attr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("tx_attr"));
  private static final long tx_attr$OFFSET = $LAYOUT.byteOffset(groupElement("tx_attr"));
  public static final AddressLayout tx_attr$layout() { return tx_attr$LAYOUT; }
  public static final long tx_attr$offset() { return tx_attr$OFFSET; }
  public static MemorySegment tx_attr(MemorySegment struct) { return struct.get(tx_attr$LAYOUT, tx_attr$OFFSET); }
  public static void tx_attr(MemorySegment struct, MemorySegment fieldValue) { struct.set(tx_attr$LAYOUT, tx_attr$OFFSET, fieldValue); }

  private static final AddressLayout rx_attr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("rx_attr"));
  private static final long rx_attr$OFFSET = $LAYOUT.byteOffset(groupElement("rx_attr"));
  public static final AddressLayout rx_attr$layout() { return rx_attr$LAYOUT; }
  public static final long rx_attr$offset() { return rx_attr$OFFSET; }
  public static MemorySegment rx_attr(MemorySegment struct) { return struct.get(rx_attr$LAYOUT, rx_attr$OFFSET); }
  public static void rx_attr(MemorySegment struct, MemorySegment fieldValue) { struct.set(rx_attr$LAYOUT, rx_attr$OFFSET, fieldValue); }

  private static final AddressLayout ep_attr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("ep_attr"));
  private static final long ep_attr$OFFSET = $LAYOUT.byteOffset(groupElement("ep_attr"));
  public static final AddressLayout ep_attr$layout() { return ep_attr$LAYOUT; }
  public static final long ep_attr$offset() { return ep_attr$OFFSET; }
  public static MemorySegment ep_attr(MemorySegment struct) { return struct.get(ep_attr$LAYOUT, ep_attr$OFFSET); }
  public static void ep_attr(MemorySegment struct, MemorySegment fieldValue) { struct.set(ep_attr$LAYOUT, ep_attr$OFFSET, fieldValue); }

  private static final AddressLayout domain_attr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("domain_attr"));
  private static final long domain_attr$OFFSET = $LAYOUT.byteOffset(groupElement("domain_attr"));
  public static final AddressLayout domain_attr$layout() { return domain_attr$LAYOUT; }
  public static final long domain_attr$offset() { return domain_attr$OFFSET; }
  public static MemorySegment domain_attr(MemorySegment struct) { return struct.get(domain_attr$LAYOUT, domain_attr$OFFSET); }
  public static void domain_attr(MemorySegment struct, MemorySegment fieldValue) { struct.set(domain_attr$LAYOUT, domain_attr$OFFSET, fieldValue); }

  private static final AddressLayout fabric_attr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("fabric_attr"));
  private static final long fabric_attr$OFFSET = $LAYOUT.byteOffset(groupElement("fabric_attr"));
  public static final AddressLayout fabric_attr$layout() { return fabric_attr$LAYOUT; }
  public static final long fabric_attr$offset() { return fabric_attr$OFFSET; }
  public static MemorySegment fabric_attr(MemorySegment struct) { return struct.get(fabric_attr$LAYOUT, fabric_attr$OFFSET); }
  public static void fabric_attr(MemorySegment struct, MemorySegment fieldValue) { struct.set(fabric_attr$LAYOUT, fabric_attr$OFFSET, fieldValue); }

  private static final AddressLayout nic$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("nic"));
  private static final long nic$OFFSET = $LAYOUT.byteOffset(groupElement("nic"));
  public static final AddressLayout nic$layout() { return nic$LAYOUT; }
  public static final long nic$offset() { return nic$OFFSET; }
  public static MemorySegment nic(MemorySegment struct) { return struct.get(nic$LAYOUT, nic$OFFSET); }
  public static void nic(MemorySegment struct, MemorySegment fieldValue) { struct.set(nic$LAYOUT, nic$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
