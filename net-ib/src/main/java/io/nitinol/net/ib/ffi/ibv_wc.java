// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout.OfByte;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;
import java.lang.foreign.ValueLayout.OfShort;

/** {@code struct ibv_wc}. */
public class ibv_wc {

  ibv_wc() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_LONG.withName("wr_id"),
          verbs_h.C_INT.withName("status"),
          verbs_h.C_INT.withName("opcode"),
          verbs_h.C_INT.withName("vendor_err"),
          verbs_h.C_INT.withName("byte_len"),
          MemoryLayout.unionLayout(
              verbs_h.C_INT.withName("imm_data"),
              verbs_h.C_INT.withName("invalidated_rkey"))
              .withName("$anon$595:2"),
          verbs_h.C_INT.withName("qp_num"),
          verbs_h.C_INT.withName("src_qp"),
          verbs_h.C_INT.withName("wc_flags"),
          verbs_h.C_SHORT.withName("pkey_index"),
          verbs_h.C_SHORT.withName("slid"),
          verbs_h.C_CHAR.withName("sl"),
          verbs_h.C_CHAR.withName("dlid_path_bits"),
          MemoryLayout.paddingLayout(2))
          .withName("ibv_wc");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final OfLong wr_id$LAYOUT = (OfLong) $LAYOUT.select(groupElement("wr_id"));
  private static final long wr_id$OFFSET = $LAYOUT.byteOffset(groupElement("wr_id"));
  public static final OfLong wr_id$layout() { return wr_id$LAYOUT; }
  public static final long wr_id$offset() { return wr_id$OFFSET; }
  public static long wr_id(MemorySegment struct) { return struct.get(wr_id$LAYOUT, wr_id$OFFSET); }
  public static void wr_id(MemorySegment struct, long fieldValue) { struct.set(wr_id$LAYOUT, wr_id$OFFSET, fieldValue); }

  private static final OfInt status$LAYOUT = (OfInt) $LAYOUT.select(groupElement("status"));
  private static final long status$OFFSET = $LAYOUT.byteOffset(groupElement("status"));
  public static final OfInt status$layout() { return status$LAYOUT; }
  public static final long status$offset() { return status$OFFSET; }
  public static int status(MemorySegment struct) { return struct.get(status$LAYOUT, status$OFFSET); }
  public static void status(MemorySegment struct, int fieldValue) { struct.set(status$LAYOUT, status$OFFSET, fieldValue); }

  private static final OfInt opcode$LAYOUT = (OfInt) $LAYOUT.select(groupElement("opcode"));
  private static final long opcode$OFFSET = $LAYOUT.byteOffset(groupElement("opcode"));
  public static final OfInt opcode$layout() { return opcode$LAYOUT; }
  public static final long opcode$offset() { return opcode$OFFSET; }
  public static int opcode(MemorySegment struct) { return struct.get(opcode$LAYOUT, opcode$OFFSET); }
  public static void opcode(MemorySegment struct, int fieldValue) { struct.set(opcode$LAYOUT, opcode$OFFSET, fieldValue); }

  private static final OfInt vendor_err$LAYOUT = (OfInt) $LAYOUT.select(groupElement("vendor_err"));
  private static final long vendor_err$OFFSET = $LAYOUT.byteOffset(groupElement("vendor_err"));
  public static final OfInt vendor_err$layout() { return vendor_err$LAYOUT; }
  public static final long vendor_err$offset() { return vendor_err$OFFSET; }
  public static int vendor_err(MemorySegment struct) { return struct.get(vendor_err$LAYOUT, vendor_err$OFFSET); }
  public static void vendor_err(MemorySegment struct, int fieldValue) { struct.set(vendor_err$LAYOUT, vendor_err$OFFSET, fieldValue); }

  private static final OfInt byte_len$LAYOUT = (OfInt) $LAYOUT.select(groupElement("byte_len"));
  private static final long byte_len$OFFSET = $LAYOUT.byteOffset(groupElement("byte_len"));
  public static final OfInt byte_len$layout() { return byte_len$LAYOUT; }
  public static final long byte_len$offset() { return byte_len$OFFSET; }
  public static int byte_len(MemorySegment struct) { return struct.get(byte_len$LAYOUT, byte_len$OFFSET); }
  public static void byte_len(MemorySegment struct, int fieldValue) { struct.set(byte_len$LAYOUT, byte_len$OFFSET, fieldValue); }

  private static final OfInt imm_data$LAYOUT = (OfInt) $LAYOUT.select(groupElement("$anon$595:2"), groupElement("imm_data"));
  private static final long imm_data$OFFSET = $LAYOUT.byteOffset(groupElement("$anon$595:2"), groupElement("imm_data"));
  public static final OfInt imm_data$layout() { return imm_data$LAYOUT; }
  public static final long imm_data$offset() { return imm_data$OFFSET; }
  public static int imm_data(MemorySegment struct) { return struct.get(imm_data$LAYOUT, imm_data$OFFSET); }
  public static void imm_data(MemorySegment struct, int fieldValue) { struct.set(imm_data$LAYOUT, imm_data$OFFSET, fieldValue); }

  private static final OfInt invalidated_rkey$LAYOUT = (OfInt) $LAYOUT.select(groupElement("$anon$595:2"), groupElement("invalidated_rkey"));
  private static final long invalidated_rkey$OFFSET = $LAYOUT.byteOffset(groupElement("$anon$595:2"), groupElement("invalidated_rkey"));
  public static final OfInt invalidated_rkey$layout() { return invalidated_rkey$LAYOUT; }
  public static final long invalidated_rkey$offset() { return invalidated_rkey$OFFSET; }
  public static int invalidated_rkey(MemorySegment struct) { return struct.get(invalidated_rkey$LAYOUT, invalidated_rkey$OFFSET); }
  public static void invalidated_rkey(MemorySegment struct, int fieldValue) { struct.set(invalidated_rkey$LAYOUT, invalidated_rkey$OFFSET, fieldValue); }

  private static final OfInt qp_num$LAYOUT = (OfInt) $LAYOUT.select(groupElement("qp_num"));
  private static final long qp_num$OFFSET = $LAYOUT.byteOffset(groupElement("qp_num"));
  public static final OfInt qp_num$layout() { return qp_num$LAYOUT; }
  public static final long qp_num$offset() { return qp_num$OFFSET; }
  public static int qp_num(MemorySegment struct) { return struct.get(qp_num$LAYOUT, qp_num$OFFSET); }
  public static void qp_num(MemorySegment struct, int fieldValue) { struct.set(qp_num$LAYOUT, qp_num$OFFSET, fieldValue); }

  private static final OfInt src_qp$LAYOUT = (OfInt) $LAYOUT.select(groupElement("src_qp"));
  private static final long src_qp$OFFSET = $LAYOUT.byteOffset(groupElement("src_qp"));
  public static final OfInt src_qp$layout() { return src_qp$LAYOUT; }
  public static final long src_qp$offset() { return src_qp$OFFSET; }
  public static int src_qp(MemorySegment struct) { return struct.get(src_qp$LAYOUT, src_qp$OFFSET); }
  public static void src_qp(MemorySegment struct, int fieldValue) { struct.set(src_qp$LAYOUT, src_qp$OFFSET, fieldValue); }

  private static final OfInt wc_flags$LAYOUT = (OfInt) $LAYOUT.select(groupElement("wc_flags"));
  private static final long wc_flags$OFFSET = $LAYOUT.byteOffset(groupElement("wc_flags"));
  public static final OfInt wc_flags$layout() { return wc_flags$LAYOUT; }
  public static final long wc_flags$offset() { return wc_flags$OFFSET; }
  public static int wc_flags(MemorySegment struct) { return struct.get(wc_flags$LAYOUT, wc_flags$OFFSET); }
  public static void wc_flags(MemorySegment struct, int fieldValue) { struct.set(wc_flags$LAYOUT, wc_flags$OFFSET, fieldValue); }

  private static final OfShort pkey_index$LAYOUT = (OfShort) $LAYOUT.select(groupElement("pkey_index"));
  private static final long pkey_index$OFFSET = $LAYOUT.byteOffset(groupElement("pkey_index"));
  public static final OfShort pkey_index$layout() { return pkey_index$LAYOUT; }
  public static final long pkey_index$offset() { return pkey_index$OFFSET; }
  public static short pkey_index(MemorySegment struct) { return struct.get(pkey_index$LAYOUT, pkey_index$OFFSET); }
  public static void pkey_index(MemorySegment struct, short fieldValue) { struct.set(pkey_index$LAYOUT, pkey_index$OFFSET, fieldValue); }

  private static final OfShort slid$LAYOUT = (OfShort) $LAYOUT.select(groupElement("slid"));
  private static final long slid$OFFSET = $LAYOUT.byteOffset(groupElement("slid"));
  public static final OfShort slid$layout() { return slid$LAYOUT; }
  public static final long slid$offset() { return slid$OFFSET; }
  public static short slid(MemorySegment struct) { return struct.get(slid$LAYOUT, slid$OFFSET); }
  public static void slid(MemorySegment struct, short fieldValue) { struct.set(slid$LAYOUT, slid$OFFSET, fieldValue); }

  private static final OfByte sl$LAYOUT = (OfByte) $LAYOUT.select(groupElement("sl"));
  private static final long sl$OFFSET = $LAYOUT.byteOffset(groupElement("sl"));
  public static final OfByte sl$layout() { return sl$LAYOUT; }
  public static final long sl$offset() { return sl$OFFSET; }
  public static byte sl(MemorySegment struct) { return struct.get(sl$LAYOUT, sl$OFFSET); }
  public static void sl(MemorySegment struct, byte fieldValue) { struct.set(sl$LAYOUT, sl$OFFSET, fieldValue); }

  private static final OfByte dlid_path_bits$LAYOUT = (OfByte) $LAYOUT.select(groupElement("dlid_path_bits"));
  private static final long dlid_path_bits$OFFSET = $LAYOUT.byteOffset(groupElement("dlid_path_bits"));
  public static final OfByte dlid_path_bits$layout() { return dlid_path_bits$LAYOUT; }
  public static final long dlid_path_bits$offset() { return dlid_path_bits$OFFSET; }
  public static byte dlid_path_bits(MemorySegment struct) { return struct.get(dlid_path_bits$LAYOUT, dlid_path_bits$OFFSET); }
  public static void dlid_path_bits(MemorySegment struct, byte fieldValue) { struct.set(dlid_path_bits$LAYOUT, dlid_path_bits$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
