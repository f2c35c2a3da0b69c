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

/** The beginning of {@code struct fi_domain_attr}. */
public class fi_domain_attr {

  fi_domain_attr() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          fabric_h.C_POINTER.withName("domain"),
          fabric_h.C_POINTER.withName("name"),
          fabric_h.C_INT.withName("threading"),
          fabric_h.C_INT.withName("control_progress"),
          fabric_h.C_INT.withName("data_progress"),
          fabric_h.C_INT.withName("resource_mgmt"),
          fabric_h.C_INT.withName("av_type"),
          fabric_h.C_INT.withName("mr_mode"),
          fabric_h.C_LONG.withName("mr_key_size"),
          fabric_h.C_LONG.withName("cq_data_size"),
          fabric_h.C_LONG.withName("cq_cnt"),
          fabric_h.C_LONG.withName("ep_cnt"))
          .withName("fi_domain_attr");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout domain$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("domain"));
  private static final long domain$OFFSET = $LAYOUT.byteOffset(groupElement("domain"));
  public static final AddressLayout domain$layout() { return domain$LAYOUT; }
  public static final long domain$offset() { return domain$OFFSET; }
  public static MemorySegment domain(MemorySegment struct) { return struct.get(domain$LAYOUT, domain$OFFSET); }
  public static void domain(MemorySegment struct, MemorySegment fieldValue) { struct.set(domain$LAYOUT, domain$OFFSET, fieldValue); }

  private static final AddressLayout name$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("name"));
  private static final long name$OFFSET = $LAYOUT.byteOffset(groupElement("name"));
  public static final AddressLayout name$layout() { return name$LAYOUT; }
  public static final long name$offset() { return name$OFFSET; }
  public static MemorySegment name(MemorySegment struct) { return struct.get(name$LAYOUT, name$OFFSET); }
  public static void name(MemorySegment struct, MemorySegment fieldValue) { struct.set(name$LAYOUT, name$OFFSET, fieldValue); }

  private static final OfInt threading$LAYOUT = (OfInt) $LAYOUT.select(groupElement("threading"));
  private static final long threading$OFFSET = $LAYOUT.byteOffset(groupElement("threading"));
  public static final OfInt threading$layout() { return threading$LAYOUT; }
  public static final long threading$offset() { return threading$OFFSET; }
  public static int threading(MemorySegment struct) { return struct.get(threading$LAYOUT, threading$OFFSET); }
  public static void threading(MemorySegment struct, int fieldValue) { struct.set(threading$LAYOUT, threading$OFFSET, fieldValue); }

  private static final OfInt control_progress$LAYOUT = (OfInt) $LAYOUT.select(groupElement("control_progress"));
  private static final long control_progress$OFFSET = $LAYOUT.byteOffset(groupElement("control_progress"));
  public static final OfInt control_progress$layout() { return control_progress$LAYOUT; }
  public static final long control_progress$offset() { return control_progress$OFFSET; }
  public static int control_progress(MemorySegment struct) { return struct.get(control_progress$LAYOUT, control_progress$OFFSET); }
  public static void control_progress(MemorySegment struct, int fieldValue) { struct.set(control_progress$LAYOUT, control_progress$OFFSET, fieldValue); }

  private static final OfInt data_progress$LAYOUT = (OfInt) $LAYOUT.select(groupElement("data_progress"));
  private static final long data_progress$OFFSET = $LAYOUT.byteOffset(groupElement("data_progress"));
  public static final OfInt data_progress$layout() { return data_progress$LAYOUT; }
  public static final long data_progress$offset() { return data_progress$OFFSET; }
  public static int data_progress(MemorySegment struct) { return struct.get(data_progress$LAYOUT, data_progress$OFFSET); }
  public static void data_progress(MemorySegment struct, int fieldValue) { struct.set(data_progress$LAYOUT, data_progress$OFFSET, fieldValue); }

  private static final OfInt resource_mgmt$LAYOUT = (OfInt) $LAYOUT.select(groupElement("resource_mgmt"));
  private static final long resource_mgmt$OFFSET = $LAYOUT.byteOffset(groupElement("resource_mgmt"));
  public static final OfInt resource_mgmt$layout() { return resource_mgmt$LAYOUT; }
  public static final long resource_mgmt$offset() { return resource_mgmt$OFFSET; }
  public static int resource_mgmt(MemorySegment struct) { return struct.get(resource_mgmt$LAYOUT, resource_mgmt$OFFSET); }
  public static void resource_mgmt(MemorySegment struct, int fieldValue) { struct.set(resource_mgmt$LAYOUT, resource_mgmt$OFFSET, fieldValue); }

  private static final OfInt av_type$LAYOUT = (OfInt) $LAYOUT.select(groupElement("av_type"));
  private static final long av_type$OFFSET = $LAYOUT.byteOffset(groupElement("av_type"));
  public static final OfInt av_type$layout() { return av_type$LAYOUT; }
  public static final long av_type$offset() { return av_type$OFFSET; }
  public static int av_type(MemorySegment struct) { return struct.get(av_type$LAYOUT, av_type$OFFSET); }
  public static void av_type(MemorySegment struct, int fieldValue) { struct.set(av_type$LAYOUT, av_type$OFFSET, fieldValue); }

  private static final OfInt mr_mode$LAYOUT = (OfInt) $LAYOUT.select(groupElement("mr_mode"));
  private static final long mr_mode$OFFSET = $LAYOUT.byteOffset(groupElement("mr_mode"));
  public static final OfInt mr_mode$layout() { return mr_mode$LAYOUT; }
  public static final long mr_mode$offset() { return mr_mode$OFFSET; }
  public static int mr_mode(MemorySegment struct) { return struct.get(mr_mode$LAYOUT, mr_mode$OFFSET); }
  public static void mr_mode(MemorySegment struct, int fieldValue) { struct.set(mr_mode$LAYOUT, mr_mode$OFFSET, fieldValue); }

  private static final OfLong mr_key_size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("mr_key_size"));
  private static final long mr_key_size$OFFSET = $LAYOUT.byteOffset(groupElement("mr_key_size"));
  public static final OfLong mr_key_size$layout() { return mr_key_size$LAYOUT; }
  public static final long mr_key_size$offset() { return mr_key_size$OFFSET; }
  public static long mr_key_size(MemorySegment struct) { return struct.get(mr_key_size$LAYOUT, mr_key_size$OFFSET); }
  public static void mr_key_size(MemorySegment struct, long fieldValue) { struct.set(mr_key_size$LAYOUT, mr_key_size$OFFSET, fieldValue); }

  private static final OfLong cq_data_size$LAYOUT = (OfLong) $LAYOUT.select(groupElement("cq_data_size"));
  private static final long cq_data_size$OFFSET = $LAYOUT.byteOffset(groupElement("cq_data_size"));
  public static final OfLong cq_data_size$layout() { return cq_data_size$LAYOUT; }
  public static final long cq_data_size$offset() { return cq_data_size$OFFSET; }
  public static long cq_data_size(MemorySegment struct) { return struct.get(cq_data_size$LAYOUT, cq_data_size$OFFSET); }
  public static void cq_data_size(MemorySegment struct, long fieldValue) { struct.set(cq_data_size$LAYOUT, cq_data_size$OFFSET, fieldValue); }

  private static final OfLong cq_cnt$LAYOUT = (OfLong) $LAYOUT.select(groupElement("cq_cnt"));
  private static final long cq_cnt$OFFSET = $LAYOUT.byteOffset(groupElement("cq_cnt"));
  public static final OfLong cq_cnt$layout() { return cq_cnt$LAYOUT; }
  public static final long cq_cnt$offset() { return cq_cnt$OFFSET; }
  public static long cq_cnt(MemorySegment struct) { return struct.get(cq_cnt$LAYOUT, cq_cnt$OFFSET); }
  public static void cq_cnt(MemorySegment struct, long fieldValue) { struct.set(cq_cnt$LAYOUT, cq_cnt$OFFSET, fieldValue); }

  private static final OfLong ep_cnt$LAYOUT = (OfLong) $LAYOUT.select(groupElement("ep_cnt"));
  private static final long ep_cnt$OFFSET = $LAYOUT.byteOffset(groupElement("ep_cnt"));
  public static final OfLong ep_cnt$layout() { return ep_cnt$LAYOUT; }
  public static final long ep_cnt$offset() { return ep_cnt$OFFSET; }
  public static long ep_cnt(MemorySegment struct) { return struct.get(ep_cnt$LAYOUT, ep_cnt$OFFSET); }
  public static void ep_cnt(MemorySegment struct, long fieldValue) { struct.set(ep_cnt$LAYOUT, ep_cnt$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
