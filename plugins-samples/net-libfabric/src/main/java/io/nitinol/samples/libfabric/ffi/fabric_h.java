// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Functions and constants of {@code rdma/fabric.h} and the headers beside it. */
public class fabric_h {
  fabric_h() {
    // Should not be called directly
  }

  public static final ValueLayout.OfInt C_INT = ValueLayout.JAVA_INT;
  public static final ValueLayout.OfLong C_LONG = ValueLayout.JAVA_LONG;
  public static final AddressLayout C_POINTER = ValueLayout.ADDRESS;

  private static class fi_getinfo {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(C_INT, C_INT, C_POINTER, C_POINTER, C_LONG, C_POINTER, C_POINTER);
    static final MethodHandle HANDLE = Linker.nativeLinker().downcallHandle(Libfabric.required("fi_getinfo"), DESC);
  }

  public static int fi_getinfo(int version, MemorySegment node, MemorySegment service, long flags, MemorySegment hints, MemorySegment info) {
    try {
      return (int) fi_getinfo.HANDLE.invokeExact(version, node, service, flags, hints, info);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class fi_freeinfo {
    static final FunctionDescriptor DESC = FunctionDescriptor.ofVoid(C_POINTER);
    static final MethodHandle HANDLE = Linker.nativeLinker().downcallHandle(Libfabric.required("fi_freeinfo"), DESC);
  }

  public static void fi_freeinfo(MemorySegment info) {
    try {
      fi_freeinfo.HANDLE.invokeExact(info);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class fi_dupinfo {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(C_POINTER, C_POINTER);
    static final MethodHandle HANDLE = Linker.nativeLinker().downcallHandle(Libfabric.required("fi_dupinfo"), DESC);
  }

  public static MemorySegment fi_dupinfo(MemorySegment info) {
    try {
      return (MemorySegment) fi_dupinfo.HANDLE.invokeExact(info);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class fi_version {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(C_INT);
    static final MethodHandle HANDLE = Linker.nativeLinker().downcallHandle(Libfabric.required("fi_version"), DESC);
  }

  public static int fi_version() {
    try {
      return (int) fi_version.HANDLE.invokeExact();
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class fi_strerror {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(C_POINTER, C_INT);
    static final MethodHandle HANDLE = Linker.nativeLinker().downcallHandle(Libfabric.required("fi_strerror"), DESC);
  }

  public static MemorySegment fi_strerror(int errnum) {
    try {
      return (MemorySegment) fi_strerror.HANDLE.invokeExact(errnum);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class fi_fabric {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(C_INT, C_POINTER, C_POINTER, C_POINTER);
    static final MethodHandle HANDLE = Linker.nativeLinker().downcallHandle(Libfabric.required("fi_fabric"), DESC);
  }

  public static int fi_fabric(MemorySegment attr, MemorySegment fabric, MemorySegment context) {
    try {
      return (int) fi_fabric.HANDLE.invokeExact(attr, fabric, context);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static final long FI_MSG = 2L;

  public static long FI_MSG() {
    return FI_MSG;
  }

  private static final long FI_TAGGED = 8L;

  public static long FI_TAGGED() {
    return FI_TAGGED;
  }

  private static final long FI_RECV = 1024L;

  public static long FI_RECV() {
    return FI_RECV;
  }

  private static final long FI_SEND = 2048L;

  public static long FI_SEND() {
    return FI_SEND;
  }

  private static final long FI_TRANSMIT = 2048L;

  public static long FI_TRANSMIT() {
    return FI_TRANSMIT;
  }

  private static final long FI_TRANSMIT_COMPLETE = 134217728L;

  public static long FI_TRANSMIT_COMPLETE() {
    return FI_TRANSMIT_COMPLETE;
  }

  private static final long FI_DELIVERY_COMPLETE = 268435456L;

  public static long FI_DELIVERY_COMPLETE() {
    return FI_DELIVERY_COMPLETE;
  }

  private static final long FI_CONTEXT = 576460752303423488L;

  public static long FI_CONTEXT() {
    return FI_CONTEXT;
  }

  private static final long FI_CONTEXT2 = 4503599627370496L;

  public static long FI_CONTEXT2() {
    return FI_CONTEXT2;
  }

  private static final int FI_EP_RDM = 3;

  public static int FI_EP_RDM() {
    return FI_EP_RDM;
  }

  private static final int FI_AV_TABLE = 2;

  public static int FI_AV_TABLE() {
    return FI_AV_TABLE;
  }

  private static final int FI_CQ_FORMAT_TAGGED = 4;

  public static int FI_CQ_FORMAT_TAGGED() {
    return FI_CQ_FORMAT_TAGGED;
  }

  private static final int FI_WAIT_NONE = 0;

  public static int FI_WAIT_NONE() {
    return FI_WAIT_NONE;
  }

  private static final int FI_ENABLE = 6;

  public static int FI_ENABLE() {
    return FI_ENABLE;
  }

  private static final int FI_THREAD_SAFE = 1;

  public static int FI_THREAD_SAFE() {
    return FI_THREAD_SAFE;
  }

  private static final int FI_RM_ENABLED = 2;

  public static int FI_RM_ENABLED() {
    return FI_RM_ENABLED;
  }

  private static final int FI_PROGRESS_AUTO = 1;

  public static int FI_PROGRESS_AUTO() {
    return FI_PROGRESS_AUTO;
  }

  private static final int FI_PROGRESS_MANUAL = 2;

  public static int FI_PROGRESS_MANUAL() {
    return FI_PROGRESS_MANUAL;
  }

  private static final int FI_MR_LOCAL = 4;

  public static int FI_MR_LOCAL() {
    return FI_MR_LOCAL;
  }

  private static final int FI_MR_VIRT_ADDR = 16;

  public static int FI_MR_VIRT_ADDR() {
    return FI_MR_VIRT_ADDR;
  }

  private static final int FI_MR_ALLOCATED = 32;

  public static int FI_MR_ALLOCATED() {
    return FI_MR_ALLOCATED;
  }

  private static final int FI_MR_PROV_KEY = 64;

  public static int FI_MR_PROV_KEY() {
    return FI_MR_PROV_KEY;
  }

  private static final int FI_SOCKADDR_IN = 2;

  public static int FI_SOCKADDR_IN() {
    return FI_SOCKADDR_IN;
  }

  private static final int FI_SOCKADDR_IN6 = 3;

  public static int FI_SOCKADDR_IN6() {
    return FI_SOCKADDR_IN6;
  }

  private static final int FI_ADDR_STR = 9;

  public static int FI_ADDR_STR() {
    return FI_ADDR_STR;
  }

  private static final int FI_EAGAIN = 11;

  public static int FI_EAGAIN() {
    return FI_EAGAIN;
  }

  private static final int FI_EAVAIL = 259;

  public static int FI_EAVAIL() {
    return FI_EAVAIL;
  }

  private static final int FI_ETRUNC = 265;

  public static int FI_ETRUNC() {
    return FI_ETRUNC;
  }

  private static final int FI_ENODATA = 61;

  public static int FI_ENODATA() {
    return FI_ENODATA;
  }

  private static final int FI_ECANCELED = 125;

  public static int FI_ECANCELED() {
    return FI_ECANCELED;
  }

  private static final int FI_EBUSY = 16;

  public static int FI_EBUSY() {
    return FI_EBUSY;
  }
}
