// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Functions of {@code infiniband/verbs.h} that older libraries lack, each looked up with the symbol
 * version that introduced it. To be called only where {@link Libibverbs#has} says so.
 */
public class verbs_optional {
  verbs_optional() {
    // Should not be called directly
  }

  /** Since IBVERBS_1.8. */
  public static final String ibv_reg_mr_iova2$version = "IBVERBS_1.8";

  private static class ibv_reg_mr_iova2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_POINTER, verbs_h.C_POINTER, verbs_h.C_LONG, verbs_h.C_LONG, verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.versioned("ibv_reg_mr_iova2", ibv_reg_mr_iova2$version), DESC);
  }

  public static MemorySegment ibv_reg_mr_iova2(MemorySegment errno, MemorySegment pd, MemorySegment addr, long length, long iova, int access) {
    try {
      return (MemorySegment) ibv_reg_mr_iova2.HANDLE.invokeExact(errno, pd, addr, length, iova, access);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since IBVERBS_1.12. */
  public static final String ibv_reg_dmabuf_mr$version = "IBVERBS_1.12";

  private static class ibv_reg_dmabuf_mr {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_POINTER, verbs_h.C_POINTER, verbs_h.C_LONG, verbs_h.C_LONG, verbs_h.C_LONG, verbs_h.C_INT, verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.versioned("ibv_reg_dmabuf_mr", ibv_reg_dmabuf_mr$version), DESC);
  }

  public static MemorySegment ibv_reg_dmabuf_mr(MemorySegment errno, MemorySegment pd, long offset, long length, long iova, int fd, int access) {
    try {
      return (MemorySegment) ibv_reg_dmabuf_mr.HANDLE.invokeExact(errno, pd, offset, length, iova, fd, access);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since IBVERBS_1.10. */
  public static final String ibv_query_ece$version = "IBVERBS_1.10";

  private static class ibv_query_ece {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.versioned("ibv_query_ece", ibv_query_ece$version), DESC);
  }

  public static int ibv_query_ece(MemorySegment errno, MemorySegment qp, MemorySegment ece) {
    try {
      return (int) ibv_query_ece.HANDLE.invokeExact(errno, qp, ece);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since IBVERBS_1.10. */
  public static final String ibv_set_ece$version = "IBVERBS_1.10";

  private static class ibv_set_ece {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_POINTER);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.versioned("ibv_set_ece", ibv_set_ece$version), DESC);
  }

  public static int ibv_set_ece(MemorySegment errno, MemorySegment qp, MemorySegment ece) {
    try {
      return (int) ibv_set_ece.HANDLE.invokeExact(errno, qp, ece);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since IBVERBS_1.11. */
  public static final String _ibv_query_gid_ex$version = "IBVERBS_1.11";

  private static class _ibv_query_gid_ex {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_INT, verbs_h.C_INT, verbs_h.C_POINTER, verbs_h.C_INT, verbs_h.C_LONG);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.versioned("_ibv_query_gid_ex", _ibv_query_gid_ex$version), DESC);
  }

  public static int _ibv_query_gid_ex(MemorySegment errno, MemorySegment context, int port_num, int gid_index, MemorySegment entry, int flags, long entry_size) {
    try {
      return (int) _ibv_query_gid_ex.HANDLE.invokeExact(errno, context, port_num, gid_index, entry, flags, entry_size);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since IBVERBS_1.13. */
  public static final String ibv_is_fork_initialized$version = "IBVERBS_1.13";

  private static class ibv_is_fork_initialized {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(verbs_h.C_INT);
    static final MethodHandle HANDLE = Libibverbs.capturing(Libibverbs.versioned("ibv_is_fork_initialized", ibv_is_fork_initialized$version), DESC);
  }

  public static int ibv_is_fork_initialized(MemorySegment errno) {
    try {
      return (int) ibv_is_fork_initialized.HANDLE.invokeExact(errno);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }
}
