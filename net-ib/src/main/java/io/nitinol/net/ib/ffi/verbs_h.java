// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.foreign.ValueLayout.OfByte;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;
import java.lang.foreign.ValueLayout.OfShort;
import java.lang.invoke.MethodHandle;

/**
 * Functions of {@code infiniband/verbs.h}. Unlike what jextract writes, each takes the segment in
 * which {@code errno} is left as its first argument; see {@link Libibverbs#ERRNO_LAYOUT}.
 */
public class verbs_h extends verbs_constants {
  verbs_h() {
    // Should not be called directly
  }

  public static final OfByte C_CHAR = ValueLayout.JAVA_BYTE;
  public static final OfShort C_SHORT = ValueLayout.JAVA_SHORT;
  public static final OfInt C_INT = ValueLayout.JAVA_INT;
  public static final OfLong C_LONG = ValueLayout.JAVA_LONG;
  public static final AddressLayout C_POINTER = ValueLayout.ADDRESS;

  private static class ibv_get_device_list {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_get_device_list"), DESC);
  }

  public static MemorySegment ibv_get_device_list(MemorySegment errno, MemorySegment num_devices) {
    try {
      return (MemorySegment) ibv_get_device_list.HANDLE.invokeExact(errno, num_devices);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_free_device_list {
    static final FunctionDescriptor DESC = FunctionDescriptor.ofVoid(verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_free_device_list"), DESC);
  }

  public static void ibv_free_device_list(MemorySegment errno, MemorySegment list) {
    try {
      ibv_free_device_list.HANDLE.invokeExact(errno, list);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_get_device_name {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_get_device_name"), DESC);
  }

  public static MemorySegment ibv_get_device_name(MemorySegment errno, MemorySegment device) {
    try {
      return (MemorySegment) ibv_get_device_name.HANDLE.invokeExact(errno, device);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_get_device_guid {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_LONG, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_get_device_guid"), DESC);
  }

  public static long ibv_get_device_guid(MemorySegment errno, MemorySegment device) {
    try {
      return (long) ibv_get_device_guid.HANDLE.invokeExact(errno, device);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_open_device {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_open_device"), DESC);
  }

  public static MemorySegment ibv_open_device(MemorySegment errno, MemorySegment device) {
    try {
      return (MemorySegment) ibv_open_device.HANDLE.invokeExact(errno, device);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_close_device {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_close_device"), DESC);
  }

  public static int ibv_close_device(MemorySegment errno, MemorySegment context) {
    try {
      return (int) ibv_close_device.HANDLE.invokeExact(errno, context);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_get_async_event {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_get_async_event"), DESC);
  }

  public static int ibv_get_async_event(MemorySegment errno, MemorySegment context, MemorySegment event) {
    try {
      return (int) ibv_get_async_event.HANDLE.invokeExact(errno, context, event);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_ack_async_event {
    static final FunctionDescriptor DESC = FunctionDescriptor.ofVoid(verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_ack_async_event"), DESC);
  }

  public static void ibv_ack_async_event(MemorySegment errno, MemorySegment event) {
    try {
      ibv_ack_async_event.HANDLE.invokeExact(errno, event);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_query_device {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_query_device"), DESC);
  }

  public static int ibv_query_device(MemorySegment errno, MemorySegment context, MemorySegment device_attr) {
    try {
      return (int) ibv_query_device.HANDLE.invokeExact(errno, context, device_attr);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_query_port {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_CHAR, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_query_port"), DESC);
  }

  public static int ibv_query_port(MemorySegment errno, MemorySegment context, byte port_num, MemorySegment port_attr) {
    try {
      return (int) ibv_query_port.HANDLE.invokeExact(errno, context, port_num, port_attr);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_query_gid {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_CHAR, verbs_h.C_INT, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_query_gid"), DESC);
  }

  public static int ibv_query_gid(MemorySegment errno, MemorySegment context, byte port_num, int index, MemorySegment gid) {
    try {
      return (int) ibv_query_gid.HANDLE.invokeExact(errno, context, port_num, index, gid);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_query_pkey {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_CHAR, verbs_h.C_INT, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_query_pkey"), DESC);
  }

  public static int ibv_query_pkey(MemorySegment errno, MemorySegment context, byte port_num, int index, MemorySegment pkey) {
    try {
      return (int) ibv_query_pkey.HANDLE.invokeExact(errno, context, port_num, index, pkey);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_alloc_pd {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_alloc_pd"), DESC);
  }

  public static MemorySegment ibv_alloc_pd(MemorySegment errno, MemorySegment context) {
    try {
      return (MemorySegment) ibv_alloc_pd.HANDLE.invokeExact(errno, context);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_dealloc_pd {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_dealloc_pd"), DESC);
  }

  public static int ibv_dealloc_pd(MemorySegment errno, MemorySegment pd) {
    try {
      return (int) ibv_dealloc_pd.HANDLE.invokeExact(errno, pd);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_reg_mr {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_POINTER, verbs_h.C_POINTER, verbs_h.C_LONG, verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_reg_mr"), DESC);
  }

  public static MemorySegment ibv_reg_mr(MemorySegment errno, MemorySegment pd, MemorySegment addr, long length, int access) {
    try {
      return (MemorySegment) ibv_reg_mr.HANDLE.invokeExact(errno, pd, addr, length, access);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_dereg_mr {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_dereg_mr"), DESC);
  }

  public static int ibv_dereg_mr(MemorySegment errno, MemorySegment mr) {
    try {
      return (int) ibv_dereg_mr.HANDLE.invokeExact(errno, mr);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_create_comp_channel {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_create_comp_channel"), DESC);
  }

  public static MemorySegment ibv_create_comp_channel(MemorySegment errno, MemorySegment context) {
    try {
      return (MemorySegment) ibv_create_comp_channel.HANDLE.invokeExact(errno, context);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_destroy_comp_channel {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_destroy_comp_channel"), DESC);
  }

  public static int ibv_destroy_comp_channel(MemorySegment errno, MemorySegment channel) {
    try {
      return (int) ibv_destroy_comp_channel.HANDLE.invokeExact(errno, channel);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_create_cq {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_POINTER, verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_POINTER, verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_create_cq"), DESC);
  }

  public static MemorySegment ibv_create_cq(MemorySegment errno, MemorySegment context, int cqe, MemorySegment cq_context, MemorySegment channel, int comp_vector) {
    try {
      return (MemorySegment) ibv_create_cq.HANDLE.invokeExact(errno, context, cqe, cq_context, channel, comp_vector);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_destroy_cq {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_destroy_cq"), DESC);
  }

  public static int ibv_destroy_cq(MemorySegment errno, MemorySegment cq) {
    try {
      return (int) ibv_destroy_cq.HANDLE.invokeExact(errno, cq);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_get_cq_event {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_POINTER, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_get_cq_event"), DESC);
  }

  public static int ibv_get_cq_event(MemorySegment errno, MemorySegment channel, MemorySegment cq, MemorySegment cq_context) {
    try {
      return (int) ibv_get_cq_event.HANDLE.invokeExact(errno, channel, cq, cq_context);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_ack_cq_events {
    static final FunctionDescriptor DESC = FunctionDescriptor.ofVoid(verbs_h.C_POINTER, verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_ack_cq_events"), DESC);
  }

  public static void ibv_ack_cq_events(MemorySegment errno, MemorySegment cq, int nevents) {
    try {
      ibv_ack_cq_events.HANDLE.invokeExact(errno, cq, nevents);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_create_qp {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_POINTER, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_create_qp"), DESC);
  }

  public static MemorySegment ibv_create_qp(MemorySegment errno, MemorySegment pd, MemorySegment qp_init_attr) {
    try {
      return (MemorySegment) ibv_create_qp.HANDLE.invokeExact(errno, pd, qp_init_attr);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_modify_qp {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_POINTER, verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_modify_qp"), DESC);
  }

  public static int ibv_modify_qp(MemorySegment errno, MemorySegment qp, MemorySegment attr, int attr_mask) {
    try {
      return (int) ibv_modify_qp.HANDLE.invokeExact(errno, qp, attr, attr_mask);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_query_qp {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_POINTER, verbs_h.C_INT, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_query_qp"), DESC);
  }

  public static int ibv_query_qp(MemorySegment errno, MemorySegment qp, MemorySegment attr, int attr_mask, MemorySegment init_attr) {
    try {
      return (int) ibv_query_qp.HANDLE.invokeExact(errno, qp, attr, attr_mask, init_attr);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_destroy_qp {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_destroy_qp"), DESC);
  }

  public static int ibv_destroy_qp(MemorySegment errno, MemorySegment qp) {
    try {
      return (int) ibv_destroy_qp.HANDLE.invokeExact(errno, qp);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_fork_init {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_fork_init"), DESC);
  }

  public static int ibv_fork_init(MemorySegment errno) {
    try {
      return (int) ibv_fork_init.HANDLE.invokeExact(errno);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_node_type_str {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_node_type_str"), DESC);
  }

  public static MemorySegment ibv_node_type_str(MemorySegment errno, int node_type) {
    try {
      return (MemorySegment) ibv_node_type_str.HANDLE.invokeExact(errno, node_type);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_port_state_str {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_port_state_str"), DESC);
  }

  public static MemorySegment ibv_port_state_str(MemorySegment errno, int port_state) {
    try {
      return (MemorySegment) ibv_port_state_str.HANDLE.invokeExact(errno, port_state);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_event_type_str {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_event_type_str"), DESC);
  }

  public static MemorySegment ibv_event_type_str(MemorySegment errno, int event) {
    try {
      return (MemorySegment) ibv_event_type_str.HANDLE.invokeExact(errno, event);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class ibv_wc_status_str {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.required("ibv_wc_status_str"), DESC);
  }

  public static MemorySegment ibv_wc_status_str(MemorySegment errno, int status) {
    try {
      return (MemorySegment) ibv_wc_status_str.HANDLE.invokeExact(errno, status);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }
}
