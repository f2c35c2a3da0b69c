// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code struct ibv_context_ops}. */
public class ibv_context_ops {

  ibv_context_ops() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          verbs_h.C_POINTER.withName("_compat_query_device"),
          verbs_h.C_POINTER.withName("_compat_query_port"),
          verbs_h.C_POINTER.withName("_compat_alloc_pd"),
          verbs_h.C_POINTER.withName("_compat_dealloc_pd"),
          verbs_h.C_POINTER.withName("_compat_reg_mr"),
          verbs_h.C_POINTER.withName("_compat_rereg_mr"),
          verbs_h.C_POINTER.withName("_compat_dereg_mr"),
          verbs_h.C_POINTER.withName("alloc_mw"),
          verbs_h.C_POINTER.withName("bind_mw"),
          verbs_h.C_POINTER.withName("dealloc_mw"),
          verbs_h.C_POINTER.withName("_compat_create_cq"),
          verbs_h.C_POINTER.withName("poll_cq"),
          verbs_h.C_POINTER.withName("req_notify_cq"),
          verbs_h.C_POINTER.withName("_compat_cq_event"),
          verbs_h.C_POINTER.withName("_compat_resize_cq"),
          verbs_h.C_POINTER.withName("_compat_destroy_cq"),
          verbs_h.C_POINTER.withName("_compat_create_srq"),
          verbs_h.C_POINTER.withName("_compat_modify_srq"),
          verbs_h.C_POINTER.withName("_compat_query_srq"),
          verbs_h.C_POINTER.withName("_compat_destroy_srq"),
          verbs_h.C_POINTER.withName("post_srq_recv"),
          verbs_h.C_POINTER.withName("_compat_create_qp"),
          verbs_h.C_POINTER.withName("_compat_query_qp"),
          verbs_h.C_POINTER.withName("_compat_modify_qp"),
          verbs_h.C_POINTER.withName("_compat_destroy_qp"),
          verbs_h.C_POINTER.withName("post_send"),
          verbs_h.C_POINTER.withName("post_recv"),
          verbs_h.C_POINTER.withName("_compat_create_ah"),
          verbs_h.C_POINTER.withName("_compat_destroy_ah"),
          verbs_h.C_POINTER.withName("_compat_attach_mcast"),
          verbs_h.C_POINTER.withName("_compat_detach_mcast"),
          verbs_h.C_POINTER.withName("_compat_async_event"))
          .withName("ibv_context_ops");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final AddressLayout _compat_query_device$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_query_device"));
  private static final long _compat_query_device$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_query_device"));
  public static final AddressLayout _compat_query_device$layout() { return _compat_query_device$LAYOUT; }
  public static final long _compat_query_device$offset() { return _compat_query_device$OFFSET; }
  public static MemorySegment _compat_query_device(MemorySegment struct) { return struct.get(_compat_query_device$LAYOUT, _compat_query_device$OFFSET); }
  public static void _compat_query_device(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_query_device$LAYOUT, _compat_query_device$OFFSET, fieldValue); }

  private static final AddressLayout _compat_query_port$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_query_port"));
  private static final long _compat_query_port$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_query_port"));
  public static final AddressLayout _compat_query_port$layout() { return _compat_query_port$LAYOUT; }
  public static final long _compat_query_port$offset() { return _compat_query_port$OFFSET; }
  public static MemorySegment _compat_query_port(MemorySegment struct) { return struct.get(_compat_query_port$LAYOUT, _compat_query_port$OFFSET); }
  public static void _compat_query_port(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_query_port$LAYOUT, _compat_query_port$OFFSET, fieldValue); }

  private static final AddressLayout _compat_alloc_pd$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_alloc_pd"));
  private static final long _compat_alloc_pd$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_alloc_pd"));
  public static final AddressLayout _compat_alloc_pd$layout() { return _compat_alloc_pd$LAYOUT; }
  public static final long _compat_alloc_pd$offset() { return _compat_alloc_pd$OFFSET; }
  public static MemorySegment _compat_alloc_pd(MemorySegment struct) { return struct.get(_compat_alloc_pd$LAYOUT, _compat_alloc_pd$OFFSET); }
  public static void _compat_alloc_pd(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_alloc_pd$LAYOUT, _compat_alloc_pd$OFFSET, fieldValue); }

  private static final AddressLayout _compat_dealloc_pd$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_dealloc_pd"));
  private static final long _compat_dealloc_pd$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_dealloc_pd"));
  public static final AddressLayout _compat_dealloc_pd$layout() { return _compat_dealloc_pd$LAYOUT; }
  public static final long _compat_dealloc_pd$offset() { return _compat_dealloc_pd$OFFSET; }
  public static MemorySegment _compat_dealloc_pd(MemorySegment struct) { return struct.get(_compat_dealloc_pd$LAYOUT, _compat_dealloc_pd$OFFSET); }
  public static void _compat_dealloc_pd(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_dealloc_pd$LAYOUT, _compat_dealloc_pd$OFFSET, fieldValue); }

  private static final AddressLayout _compat_reg_mr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_reg_mr"));
  private static final long _compat_reg_mr$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_reg_mr"));
  public static final AddressLayout _compat_reg_mr$layout() { return _compat_reg_mr$LAYOUT; }
  public static final long _compat_reg_mr$offset() { return _compat_reg_mr$OFFSET; }
  public static MemorySegment _compat_reg_mr(MemorySegment struct) { return struct.get(_compat_reg_mr$LAYOUT, _compat_reg_mr$OFFSET); }
  public static void _compat_reg_mr(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_reg_mr$LAYOUT, _compat_reg_mr$OFFSET, fieldValue); }

  private static final AddressLayout _compat_rereg_mr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_rereg_mr"));
  private static final long _compat_rereg_mr$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_rereg_mr"));
  public static final AddressLayout _compat_rereg_mr$layout() { return _compat_rereg_mr$LAYOUT; }
  public static final long _compat_rereg_mr$offset() { return _compat_rereg_mr$OFFSET; }
  public static MemorySegment _compat_rereg_mr(MemorySegment struct) { return struct.get(_compat_rereg_mr$LAYOUT, _compat_rereg_mr$OFFSET); }
  public static void _compat_rereg_mr(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_rereg_mr$LAYOUT, _compat_rereg_mr$OFFSET, fieldValue); }

  private static final AddressLayout _compat_dereg_mr$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_dereg_mr"));
  private static final long _compat_dereg_mr$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_dereg_mr"));
  public static final AddressLayout _compat_dereg_mr$layout() { return _compat_dereg_mr$LAYOUT; }
  public static final long _compat_dereg_mr$offset() { return _compat_dereg_mr$OFFSET; }
  public static MemorySegment _compat_dereg_mr(MemorySegment struct) { return struct.get(_compat_dereg_mr$LAYOUT, _compat_dereg_mr$OFFSET); }
  public static void _compat_dereg_mr(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_dereg_mr$LAYOUT, _compat_dereg_mr$OFFSET, fieldValue); }

  private static final AddressLayout alloc_mw$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("alloc_mw"));
  private static final long alloc_mw$OFFSET = $LAYOUT.byteOffset(groupElement("alloc_mw"));
  public static final AddressLayout alloc_mw$layout() { return alloc_mw$LAYOUT; }
  public static final long alloc_mw$offset() { return alloc_mw$OFFSET; }
  public static MemorySegment alloc_mw(MemorySegment struct) { return struct.get(alloc_mw$LAYOUT, alloc_mw$OFFSET); }
  public static void alloc_mw(MemorySegment struct, MemorySegment fieldValue) { struct.set(alloc_mw$LAYOUT, alloc_mw$OFFSET, fieldValue); }

  private static final AddressLayout bind_mw$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("bind_mw"));
  private static final long bind_mw$OFFSET = $LAYOUT.byteOffset(groupElement("bind_mw"));
  public static final AddressLayout bind_mw$layout() { return bind_mw$LAYOUT; }
  public static final long bind_mw$offset() { return bind_mw$OFFSET; }
  public static MemorySegment bind_mw(MemorySegment struct) { return struct.get(bind_mw$LAYOUT, bind_mw$OFFSET); }
  public static void bind_mw(MemorySegment struct, MemorySegment fieldValue) { struct.set(bind_mw$LAYOUT, bind_mw$OFFSET, fieldValue); }

  private static final AddressLayout dealloc_mw$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("dealloc_mw"));
  private static final long dealloc_mw$OFFSET = $LAYOUT.byteOffset(groupElement("dealloc_mw"));
  public static final AddressLayout dealloc_mw$layout() { return dealloc_mw$LAYOUT; }
  public static final long dealloc_mw$offset() { return dealloc_mw$OFFSET; }
  public static MemorySegment dealloc_mw(MemorySegment struct) { return struct.get(dealloc_mw$LAYOUT, dealloc_mw$OFFSET); }
  public static void dealloc_mw(MemorySegment struct, MemorySegment fieldValue) { struct.set(dealloc_mw$LAYOUT, dealloc_mw$OFFSET, fieldValue); }

  private static final AddressLayout _compat_create_cq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_create_cq"));
  private static final long _compat_create_cq$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_create_cq"));
  public static final AddressLayout _compat_create_cq$layout() { return _compat_create_cq$LAYOUT; }
  public static final long _compat_create_cq$offset() { return _compat_create_cq$OFFSET; }
  public static MemorySegment _compat_create_cq(MemorySegment struct) { return struct.get(_compat_create_cq$LAYOUT, _compat_create_cq$OFFSET); }
  public static void _compat_create_cq(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_create_cq$LAYOUT, _compat_create_cq$OFFSET, fieldValue); }

  private static final AddressLayout poll_cq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("poll_cq"));
  private static final long poll_cq$OFFSET = $LAYOUT.byteOffset(groupElement("poll_cq"));
  public static final AddressLayout poll_cq$layout() { return poll_cq$LAYOUT; }
  public static final long poll_cq$offset() { return poll_cq$OFFSET; }
  public static MemorySegment poll_cq(MemorySegment struct) { return struct.get(poll_cq$LAYOUT, poll_cq$OFFSET); }
  public static void poll_cq(MemorySegment struct, MemorySegment fieldValue) { struct.set(poll_cq$LAYOUT, poll_cq$OFFSET, fieldValue); }

  private static final AddressLayout req_notify_cq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("req_notify_cq"));
  private static final long req_notify_cq$OFFSET = $LAYOUT.byteOffset(groupElement("req_notify_cq"));
  public static final AddressLayout req_notify_cq$layout() { return req_notify_cq$LAYOUT; }
  public static final long req_notify_cq$offset() { return req_notify_cq$OFFSET; }
  public static MemorySegment req_notify_cq(MemorySegment struct) { return struct.get(req_notify_cq$LAYOUT, req_notify_cq$OFFSET); }
  public static void req_notify_cq(MemorySegment struct, MemorySegment fieldValue) { struct.set(req_notify_cq$LAYOUT, req_notify_cq$OFFSET, fieldValue); }

  private static final AddressLayout _compat_cq_event$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_cq_event"));
  private static final long _compat_cq_event$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_cq_event"));
  public static final AddressLayout _compat_cq_event$layout() { return _compat_cq_event$LAYOUT; }
  public static final long _compat_cq_event$offset() { return _compat_cq_event$OFFSET; }
  public static MemorySegment _compat_cq_event(MemorySegment struct) { return struct.get(_compat_cq_event$LAYOUT, _compat_cq_event$OFFSET); }
  public static void _compat_cq_event(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_cq_event$LAYOUT, _compat_cq_event$OFFSET, fieldValue); }

  private static final AddressLayout _compat_resize_cq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_resize_cq"));
  private static final long _compat_resize_cq$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_resize_cq"));
  public static final AddressLayout _compat_resize_cq$layout() { return _compat_resize_cq$LAYOUT; }
  public static final long _compat_resize_cq$offset() { return _compat_resize_cq$OFFSET; }
  public static MemorySegment _compat_resize_cq(MemorySegment struct) { return struct.get(_compat_resize_cq$LAYOUT, _compat_resize_cq$OFFSET); }
  public static void _compat_resize_cq(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_resize_cq$LAYOUT, _compat_resize_cq$OFFSET, fieldValue); }

  private static final AddressLayout _compat_destroy_cq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_destroy_cq"));
  private static final long _compat_destroy_cq$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_destroy_cq"));
  public static final AddressLayout _compat_destroy_cq$layout() { return _compat_destroy_cq$LAYOUT; }
  public static final long _compat_destroy_cq$offset() { return _compat_destroy_cq$OFFSET; }
  public static MemorySegment _compat_destroy_cq(MemorySegment struct) { return struct.get(_compat_destroy_cq$LAYOUT, _compat_destroy_cq$OFFSET); }
  public static void _compat_destroy_cq(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_destroy_cq$LAYOUT, _compat_destroy_cq$OFFSET, fieldValue); }

  private static final AddressLayout _compat_create_srq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_create_srq"));
  private static final long _compat_create_srq$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_create_srq"));
  public static final AddressLayout _compat_create_srq$layout() { return _compat_create_srq$LAYOUT; }
  public static final long _compat_create_srq$offset() { return _compat_create_srq$OFFSET; }
  public static MemorySegment _compat_create_srq(MemorySegment struct) { return struct.get(_compat_create_srq$LAYOUT, _compat_create_srq$OFFSET); }
  public static void _compat_create_srq(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_create_srq$LAYOUT, _compat_create_srq$OFFSET, fieldValue); }

  private static final AddressLayout _compat_modify_srq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_modify_srq"));
  private static final long _compat_modify_srq$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_modify_srq"));
  public static final AddressLayout _compat_modify_srq$layout() { return _compat_modify_srq$LAYOUT; }
  public static final long _compat_modify_srq$offset() { return _compat_modify_srq$OFFSET; }
  public static MemorySegment _compat_modify_srq(MemorySegment struct) { return struct.get(_compat_modify_srq$LAYOUT, _compat_modify_srq$OFFSET); }
  public static void _compat_modify_srq(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_modify_srq$LAYOUT, _compat_modify_srq$OFFSET, fieldValue); }

  private static final AddressLayout _compat_query_srq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_query_srq"));
  private static final long _compat_query_srq$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_query_srq"));
  public static final AddressLayout _compat_query_srq$layout() { return _compat_query_srq$LAYOUT; }
  public static final long _compat_query_srq$offset() { return _compat_query_srq$OFFSET; }
  public static MemorySegment _compat_query_srq(MemorySegment struct) { return struct.get(_compat_query_srq$LAYOUT, _compat_query_srq$OFFSET); }
  public static void _compat_query_srq(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_query_srq$LAYOUT, _compat_query_srq$OFFSET, fieldValue); }

  private static final AddressLayout _compat_destroy_srq$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_destroy_srq"));
  private static final long _compat_destroy_srq$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_destroy_srq"));
  public static final AddressLayout _compat_destroy_srq$layout() { return _compat_destroy_srq$LAYOUT; }
  public static final long _compat_destroy_srq$offset() { return _compat_destroy_srq$OFFSET; }
  public static MemorySegment _compat_destroy_srq(MemorySegment struct) { return struct.get(_compat_destroy_srq$LAYOUT, _compat_destroy_srq$OFFSET); }
  public static void _compat_destroy_srq(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_destroy_srq$LAYOUT, _compat_destroy_srq$OFFSET, fieldValue); }

  private static final AddressLayout post_srq_recv$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("post_srq_recv"));
  private static final long post_srq_recv$OFFSET = $LAYOUT.byteOffset(groupElement("post_srq_recv"));
  public static final AddressLayout post_srq_recv$layout() { return post_srq_recv$LAYOUT; }
  public static final long post_srq_recv$offset() { return post_srq_recv$OFFSET; }
  public static MemorySegment post_srq_recv(MemorySegment struct) { return struct.get(post_srq_recv$LAYOUT, post_srq_recv$OFFSET); }
  public static void post_srq_recv(MemorySegment struct, MemorySegment fieldValue) { struct.set(post_srq_recv$LAYOUT, post_srq_recv$OFFSET, fieldValue); }

  private static final AddressLayout _compat_create_qp$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_create_qp"));
  private static final long _compat_create_qp$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_create_qp"));
  public static final AddressLayout _compat_create_qp$layout() { return _compat_create_qp$LAYOUT; }
  public static final long _compat_create_qp$offset() { return _compat_create_qp$OFFSET; }
  public static MemorySegment _compat_create_qp(MemorySegment struct) { return struct.get(_compat_create_qp$LAYOUT, _compat_create_qp$OFFSET); }
  public static void _compat_create_qp(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_create_qp$LAYOUT, _compat_create_qp$OFFSET, fieldValue); }

  private static final AddressLayout _compat_query_qp$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_query_qp"));
  private static final long _compat_query_qp$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_query_qp"));
  public static final AddressLayout _compat_query_qp$layout() { return _compat_query_qp$LAYOUT; }
  public static final long _compat_query_qp$offset() { return _compat_query_qp$OFFSET; }
  public static MemorySegment _compat_query_qp(MemorySegment struct) { return struct.get(_compat_query_qp$LAYOUT, _compat_query_qp$OFFSET); }
  public static void _compat_query_qp(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_query_qp$LAYOUT, _compat_query_qp$OFFSET, fieldValue); }

  private static final AddressLayout _compat_modify_qp$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_modify_qp"));
  private static final long _compat_modify_qp$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_modify_qp"));
  public static final AddressLayout _compat_modify_qp$layout() { return _compat_modify_qp$LAYOUT; }
  public static final long _compat_modify_qp$offset() { return _compat_modify_qp$OFFSET; }
  public static MemorySegment _compat_modify_qp(MemorySegment struct) { return struct.get(_compat_modify_qp$LAYOUT, _compat_modify_qp$OFFSET); }
  public static void _compat_modify_qp(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_modify_qp$LAYOUT, _compat_modify_qp$OFFSET, fieldValue); }

  private static final AddressLayout _compat_destroy_qp$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_destroy_qp"));
  private static final long _compat_destroy_qp$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_destroy_qp"));
  public static final AddressLayout _compat_destroy_qp$layout() { return _compat_destroy_qp$LAYOUT; }
  public static final long _compat_destroy_qp$offset() { return _compat_destroy_qp$OFFSET; }
  public static MemorySegment _compat_destroy_qp(MemorySegment struct) { return struct.get(_compat_destroy_qp$LAYOUT, _compat_destroy_qp$OFFSET); }
  public static void _compat_destroy_qp(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_destroy_qp$LAYOUT, _compat_destroy_qp$OFFSET, fieldValue); }

  private static final AddressLayout post_send$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("post_send"));
  private static final long post_send$OFFSET = $LAYOUT.byteOffset(groupElement("post_send"));
  public static final AddressLayout post_send$layout() { return post_send$LAYOUT; }
  public static final long post_send$offset() { return post_send$OFFSET; }
  public static MemorySegment post_send(MemorySegment struct) { return struct.get(post_send$LAYOUT, post_send$OFFSET); }
  public static void post_send(MemorySegment struct, MemorySegment fieldValue) { struct.set(post_send$LAYOUT, post_send$OFFSET, fieldValue); }

  private static final AddressLayout post_recv$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("post_recv"));
  private static final long post_recv$OFFSET = $LAYOUT.byteOffset(groupElement("post_recv"));
  public static final AddressLayout post_recv$layout() { return post_recv$LAYOUT; }
  public static final long post_recv$offset() { return post_recv$OFFSET; }
  public static MemorySegment post_recv(MemorySegment struct) { return struct.get(post_recv$LAYOUT, post_recv$OFFSET); }
  public static void post_recv(MemorySegment struct, MemorySegment fieldValue) { struct.set(post_recv$LAYOUT, post_recv$OFFSET, fieldValue); }

  private static final AddressLayout _compat_create_ah$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_create_ah"));
  private static final long _compat_create_ah$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_create_ah"));
  public static final AddressLayout _compat_create_ah$layout() { return _compat_create_ah$LAYOUT; }
  public static final long _compat_create_ah$offset() { return _compat_create_ah$OFFSET; }
  public static MemorySegment _compat_create_ah(MemorySegment struct) { return struct.get(_compat_create_ah$LAYOUT, _compat_create_ah$OFFSET); }
  public static void _compat_create_ah(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_create_ah$LAYOUT, _compat_create_ah$OFFSET, fieldValue); }

  private static final AddressLayout _compat_destroy_ah$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_destroy_ah"));
  private static final long _compat_destroy_ah$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_destroy_ah"));
  public static final AddressLayout _compat_destroy_ah$layout() { return _compat_destroy_ah$LAYOUT; }
  public static final long _compat_destroy_ah$offset() { return _compat_destroy_ah$OFFSET; }
  public static MemorySegment _compat_destroy_ah(MemorySegment struct) { return struct.get(_compat_destroy_ah$LAYOUT, _compat_destroy_ah$OFFSET); }
  public static void _compat_destroy_ah(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_destroy_ah$LAYOUT, _compat_destroy_ah$OFFSET, fieldValue); }

  private static final AddressLayout _compat_attach_mcast$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_attach_mcast"));
  private static final long _compat_attach_mcast$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_attach_mcast"));
  public static final AddressLayout _compat_attach_mcast$layout() { return _compat_attach_mcast$LAYOUT; }
  public static final long _compat_attach_mcast$offset() { return _compat_attach_mcast$OFFSET; }
  public static MemorySegment _compat_attach_mcast(MemorySegment struct) { return struct.get(_compat_attach_mcast$LAYOUT, _compat_attach_mcast$OFFSET); }
  public static void _compat_attach_mcast(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_attach_mcast$LAYOUT, _compat_attach_mcast$OFFSET, fieldValue); }

  private static final AddressLayout _compat_detach_mcast$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_detach_mcast"));
  private static final long _compat_detach_mcast$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_detach_mcast"));
  public static final AddressLayout _compat_detach_mcast$layout() { return _compat_detach_mcast$LAYOUT; }
  public static final long _compat_detach_mcast$offset() { return _compat_detach_mcast$OFFSET; }
  public static MemorySegment _compat_detach_mcast(MemorySegment struct) { return struct.get(_compat_detach_mcast$LAYOUT, _compat_detach_mcast$OFFSET); }
  public static void _compat_detach_mcast(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_detach_mcast$LAYOUT, _compat_detach_mcast$OFFSET, fieldValue); }

  private static final AddressLayout _compat_async_event$LAYOUT = (AddressLayout) $LAYOUT.select(groupElement("_compat_async_event"));
  private static final long _compat_async_event$OFFSET = $LAYOUT.byteOffset(groupElement("_compat_async_event"));
  public static final AddressLayout _compat_async_event$layout() { return _compat_async_event$LAYOUT; }
  public static final long _compat_async_event$offset() { return _compat_async_event$OFFSET; }
  public static MemorySegment _compat_async_event(MemorySegment struct) { return struct.get(_compat_async_event$LAYOUT, _compat_async_event$OFFSET); }
  public static void _compat_async_event(MemorySegment struct, MemorySegment fieldValue) { struct.set(_compat_async_event$LAYOUT, _compat_async_event$OFFSET, fieldValue); }

  public static MemorySegment asSlice(MemorySegment array, long index) { return array.asSlice(layout().byteSize() * index); }
  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
  public static MemorySegment allocateArray(long elementCount, SegmentAllocator allocator) { return allocator.allocate(MemoryLayout.sequenceLayout(elementCount, layout())); }
  public static MemorySegment reinterpret(MemorySegment addr) { return addr.reinterpret(layout().byteSize()); }
}
