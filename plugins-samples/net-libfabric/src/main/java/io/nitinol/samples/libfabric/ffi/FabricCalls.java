// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions that are inline in C and so have no symbol: calls through the pointers in {@code
 * struct fi_ops} and its like. One handle each serves every provider, since the function is an
 * argument. A provider may enter the kernel or take a lock, so none is {@code critical}. Addresses
 * are plain longs.
 */
public final class FabricCalls {
  private FabricCalls() {}

  private static final MethodHandle CLOSE =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG));

  /** {@code int close(struct fid *fid)}. */
  public static int close(MemorySegment function, long fid) {
    try {
      return (int) CLOSE.invokeExact(function, fid);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle BIND =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** {@code int bind(struct fid *fid, struct fid *bfid, uint64_t flags)}. */
  public static int bind(MemorySegment function, long fid, long other, long flags) {
    try {
      return (int) BIND.invokeExact(function, fid, other, flags);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle CONTROL =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG));

  /** {@code int control(struct fid *fid, int command, void *arg)}. */
  public static int control(MemorySegment function, long fid, int command, long arg) {
    try {
      return (int) CONTROL.invokeExact(function, fid, command, arg);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle OPEN =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** {@code int open(parent, attributes, result, void *context)}: {@code fi_domain}, {@code fi_endpoint},
   * {@code fi_cq_open} and {@code fi_av_open}. */
  public static int open(MemorySegment function, long parent, long what, long result, long context) {
    try {
      return (int) OPEN.invokeExact(function, parent, what, result, context);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle GETNAME =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** {@code int getname(fid_t fid, void *addr, size_t *addrlen)}. */
  public static int getname(MemorySegment function, long fid, long address, long length) {
    try {
      return (int) GETNAME.invokeExact(function, fid, address, length);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle INSERT =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** {@code int insert(struct fid_av *av, const void *addr, size_t count, fi_addr_t *fi_addr, ...)}. */
  public static int insert(MemorySegment function, long av, long address, long count, long result, long flags, long context) {
    try {
      return (int) INSERT.invokeExact(function, av, address, count, result, flags, context);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle REGISTER =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** {@code int reg(struct fid *fid, const void *buf, size_t len, uint64_t access, ...)}. */
  public static int register(MemorySegment function, long domain, long buffer, long length, long access, long offset, long key, long flags, long result, long context) {
    try {
      return (int) REGISTER.invokeExact(function, domain, buffer, length, access, offset, key, flags, result, context);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle TSEND =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** {@code ssize_t send(struct fid_ep *ep, const void *buf, size_t len, void *desc, fi_addr_t dest, ...)}. */
  public static long tsend(MemorySegment function, long ep, long buffer, long length, long descriptor, long to, long tag, long context) {
    try {
      return (long) TSEND.invokeExact(function, ep, buffer, length, descriptor, to, tag, context);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle TRECV =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** {@code ssize_t recv(struct fid_ep *ep, void *buf, size_t len, void *desc, fi_addr_t src, ...)}. */
  public static long trecv(MemorySegment function, long ep, long buffer, long length, long descriptor, long from, long tag, long ignore, long context) {
    try {
      return (long) TRECV.invokeExact(function, ep, buffer, length, descriptor, from, tag, ignore, context);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle CANCEL =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** {@code ssize_t cancel(fid_t fid, void *context)}. */
  public static long cancel(MemorySegment function, long fid, long context) {
    try {
      return (long) CANCEL.invokeExact(function, fid, context);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle CQ_READ =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** {@code ssize_t read(struct fid_cq *cq, void *buf, size_t count)}. */
  public static long cqRead(MemorySegment function, long cq, long buffer, long count) {
    try {
      return (long) CQ_READ.invokeExact(function, cq, buffer, count);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle CQ_READ_ERR =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** {@code ssize_t readerr(struct fid_cq *cq, struct fi_cq_err_entry *buf, uint64_t flags)}. */
  public static long cqReadErr(MemorySegment function, long cq, long entry, long flags) {
    try {
      return (long) CQ_READ_ERR.invokeExact(function, cq, entry, flags);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final MethodHandle CQ_STRERROR =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** {@code const char *strerror(struct fid_cq *cq, int prov_errno, const void *err_data, ...)}. */
  public static MemorySegment cqStrerror(MemorySegment function, long cq, int code, long data, long buffer, long length) {
    try {
      return (MemorySegment) CQ_STRERROR.invokeExact(function, cq, code, data, buffer, length);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }
}
