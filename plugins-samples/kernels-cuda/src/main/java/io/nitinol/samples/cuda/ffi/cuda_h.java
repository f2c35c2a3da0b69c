// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.foreign.ValueLayout.OfByte;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;
import java.lang.invoke.MethodHandle;

/**
 * Functions of {@code cuda.h}, by the names that its macros stand for; each is looked up by
 * cuGetProcAddress in the version that introduced it. To be called only where {@link Libcuda} says
 * that the library is there.
 */
public class cuda_h extends cuda_constants {
  cuda_h() {
    // Should not be called directly
  }

  public static final OfByte C_CHAR = ValueLayout.JAVA_BYTE;
  public static final OfInt C_INT = ValueLayout.JAVA_INT;
  public static final OfLong C_LONG = ValueLayout.JAVA_LONG;
  public static final AddressLayout C_POINTER = ValueLayout.ADDRESS;

  /** Since CUDA 2.0. */
  public static final int cuInit$version = 2000;

  private static class cuInit {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuInit", cuInit$version, DESC);
  }

  public static int cuInit(int Flags) {
    try {
      return (int) cuInit.HANDLE.invokeExact(Flags);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.2. */
  public static final int cuDriverGetVersion$version = 2020;

  private static class cuDriverGetVersion {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuDriverGetVersion", cuDriverGetVersion$version, DESC);
  }

  public static int cuDriverGetVersion(MemorySegment driverVersion) {
    try {
      return (int) cuDriverGetVersion.HANDLE.invokeExact(driverVersion);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 6.0. */
  public static final int cuGetErrorName$version = 6000;

  private static class cuGetErrorName {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuGetErrorName", cuGetErrorName$version, DESC);
  }

  public static int cuGetErrorName(int error, MemorySegment pStr) {
    try {
      return (int) cuGetErrorName.HANDLE.invokeExact(error, pStr);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 6.0. */
  public static final int cuGetErrorString$version = 6000;

  private static class cuGetErrorString {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuGetErrorString", cuGetErrorString$version, DESC);
  }

  public static int cuGetErrorString(int error, MemorySegment pStr) {
    try {
      return (int) cuGetErrorString.HANDLE.invokeExact(error, pStr);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.0. */
  public static final int cuDeviceGetCount$version = 2000;

  private static class cuDeviceGetCount {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuDeviceGetCount", cuDeviceGetCount$version, DESC);
  }

  public static int cuDeviceGetCount(MemorySegment count) {
    try {
      return (int) cuDeviceGetCount.HANDLE.invokeExact(count);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.0. */
  public static final int cuDeviceGet$version = 2000;

  private static class cuDeviceGet {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuDeviceGet", cuDeviceGet$version, DESC);
  }

  public static int cuDeviceGet(MemorySegment device, int ordinal) {
    try {
      return (int) cuDeviceGet.HANDLE.invokeExact(device, ordinal);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.0. */
  public static final int cuDeviceGetName$version = 2000;

  private static class cuDeviceGetName {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuDeviceGetName", cuDeviceGetName$version, DESC);
  }

  public static int cuDeviceGetName(MemorySegment name, int len, int dev) {
    try {
      return (int) cuDeviceGetName.HANDLE.invokeExact(name, len, dev);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 11.4. */
  public static final int cuDeviceGetUuid_v2$version = 11040;

  private static class cuDeviceGetUuid_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuDeviceGetUuid", cuDeviceGetUuid_v2$version, DESC);
  }

  public static int cuDeviceGetUuid_v2(MemorySegment uuid, int dev) {
    try {
      return (int) cuDeviceGetUuid_v2.HANDLE.invokeExact(uuid, dev);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.1. */
  public static final int cuDeviceGetPCIBusId$version = 4010;

  private static class cuDeviceGetPCIBusId {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuDeviceGetPCIBusId", cuDeviceGetPCIBusId$version, DESC);
  }

  public static int cuDeviceGetPCIBusId(MemorySegment pciBusId, int len, int dev) {
    try {
      return (int) cuDeviceGetPCIBusId.HANDLE.invokeExact(pciBusId, len, dev);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 3.2. */
  public static final int cuDeviceTotalMem_v2$version = 3020;

  private static class cuDeviceTotalMem_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuDeviceTotalMem", cuDeviceTotalMem_v2$version, DESC);
  }

  public static int cuDeviceTotalMem_v2(MemorySegment bytes, int dev) {
    try {
      return (int) cuDeviceTotalMem_v2.HANDLE.invokeExact(bytes, dev);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.0. */
  public static final int cuDeviceGetAttribute$version = 2000;

  private static class cuDeviceGetAttribute {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuDeviceGetAttribute", cuDeviceGetAttribute$version, DESC);
  }

  public static int cuDeviceGetAttribute(MemorySegment pi, int attrib, int dev) {
    try {
      return (int) cuDeviceGetAttribute.HANDLE.invokeExact(pi, attrib, dev);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.0. */
  public static final int cuDeviceCanAccessPeer$version = 4000;

  private static class cuDeviceCanAccessPeer {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuDeviceCanAccessPeer", cuDeviceCanAccessPeer$version, DESC);
  }

  public static int cuDeviceCanAccessPeer(MemorySegment canAccessPeer, int dev, int peerDev) {
    try {
      return (int) cuDeviceCanAccessPeer.HANDLE.invokeExact(canAccessPeer, dev, peerDev);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 8.0. */
  public static final int cuDeviceGetP2PAttribute$version = 8000;

  private static class cuDeviceGetP2PAttribute {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT, cuda_h.C_INT, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuDeviceGetP2PAttribute", cuDeviceGetP2PAttribute$version, DESC);
  }

  public static int cuDeviceGetP2PAttribute(MemorySegment value, int attrib, int srcDevice, int dstDevice) {
    try {
      return (int) cuDeviceGetP2PAttribute.HANDLE.invokeExact(value, attrib, srcDevice, dstDevice);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 7.0. */
  public static final int cuDevicePrimaryCtxRetain$version = 7000;

  private static class cuDevicePrimaryCtxRetain {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain$version, DESC);
  }

  public static int cuDevicePrimaryCtxRetain(MemorySegment pctx, int dev) {
    try {
      return (int) cuDevicePrimaryCtxRetain.HANDLE.invokeExact(pctx, dev);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 7.0. */
  public static final int cuDevicePrimaryCtxGetState$version = 7000;

  private static class cuDevicePrimaryCtxGetState {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuDevicePrimaryCtxGetState", cuDevicePrimaryCtxGetState$version, DESC);
  }

  public static int cuDevicePrimaryCtxGetState(int dev, MemorySegment flags, MemorySegment active) {
    try {
      return (int) cuDevicePrimaryCtxGetState.HANDLE.invokeExact(dev, flags, active);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.0. */
  public static final int cuCtxGetCurrent$version = 4000;

  private static class cuCtxGetCurrent {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuCtxGetCurrent", cuCtxGetCurrent$version, DESC, Linker.Option.critical(false));
  }

  public static int cuCtxGetCurrent(MemorySegment pctx) {
    try {
      return (int) cuCtxGetCurrent.HANDLE.invokeExact(pctx);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.0. */
  public static final int cuCtxPushCurrent_v2$version = 4000;

  private static class cuCtxPushCurrent_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuCtxPushCurrent", cuCtxPushCurrent_v2$version, DESC);
  }

  public static int cuCtxPushCurrent_v2(MemorySegment ctx) {
    try {
      return (int) cuCtxPushCurrent_v2.HANDLE.invokeExact(ctx);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.0. */
  public static final int cuCtxPopCurrent_v2$version = 4000;

  private static class cuCtxPopCurrent_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuCtxPopCurrent", cuCtxPopCurrent_v2$version, DESC);
  }

  public static int cuCtxPopCurrent_v2(MemorySegment pctx) {
    try {
      return (int) cuCtxPopCurrent_v2.HANDLE.invokeExact(pctx);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.0. */
  public static final int cuCtxEnablePeerAccess$version = 4000;

  private static class cuCtxEnablePeerAccess {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuCtxEnablePeerAccess", cuCtxEnablePeerAccess$version, DESC);
  }

  public static int cuCtxEnablePeerAccess(MemorySegment peerContext, int Flags) {
    try {
      return (int) cuCtxEnablePeerAccess.HANDLE.invokeExact(peerContext, Flags);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 5.5. */
  public static final int cuCtxGetStreamPriorityRange$version = 5050;

  private static class cuCtxGetStreamPriorityRange {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuCtxGetStreamPriorityRange", cuCtxGetStreamPriorityRange$version, DESC);
  }

  public static int cuCtxGetStreamPriorityRange(MemorySegment leastPriority, MemorySegment greatestPriority) {
    try {
      return (int) cuCtxGetStreamPriorityRange.HANDLE.invokeExact(leastPriority, greatestPriority);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 3.2. */
  public static final int cuMemAlloc_v2$version = 3020;

  private static class cuMemAlloc_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_LONG);
    static final MethodHandle HANDLE = Libcuda.handle("cuMemAlloc", cuMemAlloc_v2$version, DESC);
  }

  public static int cuMemAlloc_v2(MemorySegment dptr, long bytesize) {
    try {
      return (int) cuMemAlloc_v2.HANDLE.invokeExact(dptr, bytesize);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 3.2. */
  public static final int cuMemFree_v2$version = 3020;

  private static class cuMemFree_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_LONG);
    static final MethodHandle HANDLE = Libcuda.handle("cuMemFree", cuMemFree_v2$version, DESC);
  }

  public static int cuMemFree_v2(long dptr) {
    try {
      return (int) cuMemFree_v2.HANDLE.invokeExact(dptr);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.2. */
  public static final int cuMemHostAlloc$version = 2020;

  private static class cuMemHostAlloc {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_LONG, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuMemHostAlloc", cuMemHostAlloc$version, DESC);
  }

  public static int cuMemHostAlloc(MemorySegment pp, long bytesize, int Flags) {
    try {
      return (int) cuMemHostAlloc.HANDLE.invokeExact(pp, bytesize, Flags);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.0. */
  public static final int cuMemFreeHost$version = 2000;

  private static class cuMemFreeHost {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuMemFreeHost", cuMemFreeHost$version, DESC);
  }

  public static int cuMemFreeHost(MemorySegment p) {
    try {
      return (int) cuMemFreeHost.HANDLE.invokeExact(p);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 6.5. */
  public static final int cuMemHostRegister_v2$version = 6050;

  private static class cuMemHostRegister_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_LONG, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuMemHostRegister", cuMemHostRegister_v2$version, DESC);
  }

  public static int cuMemHostRegister_v2(MemorySegment p, long bytesize, int Flags) {
    try {
      return (int) cuMemHostRegister_v2.HANDLE.invokeExact(p, bytesize, Flags);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.0. */
  public static final int cuMemHostUnregister$version = 4000;

  private static class cuMemHostUnregister {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuMemHostUnregister", cuMemHostUnregister$version, DESC);
  }

  public static int cuMemHostUnregister(MemorySegment p) {
    try {
      return (int) cuMemHostUnregister.HANDLE.invokeExact(p);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 3.2. */
  public static final int cuMemGetAddressRange_v2$version = 3020;

  private static class cuMemGetAddressRange_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER, cuda_h.C_LONG);
    static final MethodHandle HANDLE = Libcuda.handle("cuMemGetAddressRange", cuMemGetAddressRange_v2$version, DESC);
  }

  public static int cuMemGetAddressRange_v2(MemorySegment pbase, MemorySegment psize, long dptr) {
    try {
      return (int) cuMemGetAddressRange_v2.HANDLE.invokeExact(pbase, psize, dptr);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 7.0. */
  public static final int cuPointerGetAttributes$version = 7000;

  private static class cuPointerGetAttributes {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER, cuda_h.C_LONG);
    static final MethodHandle HANDLE = Libcuda.handle("cuPointerGetAttributes", cuPointerGetAttributes$version, DESC);
  }

  public static int cuPointerGetAttributes(int numAttributes, MemorySegment attributes, MemorySegment data, long ptr) {
    try {
      return (int) cuPointerGetAttributes.HANDLE.invokeExact(numAttributes, attributes, data, ptr);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.1. */
  public static final int cuIpcGetMemHandle$version = 4010;

  private static class cuIpcGetMemHandle {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_LONG);
    static final MethodHandle HANDLE = Libcuda.handle("cuIpcGetMemHandle", cuIpcGetMemHandle$version, DESC);
  }

  public static int cuIpcGetMemHandle(MemorySegment pHandle, long dptr) {
    try {
      return (int) cuIpcGetMemHandle.HANDLE.invokeExact(pHandle, dptr);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 11.0. */
  public static final int cuIpcOpenMemHandle_v2$version = 11000;

  private static class cuIpcOpenMemHandle_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, CUipcMemHandle_st.layout(), cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuIpcOpenMemHandle", cuIpcOpenMemHandle_v2$version, DESC);
  }

  public static int cuIpcOpenMemHandle_v2(MemorySegment pdptr, MemorySegment handle, int Flags) {
    try {
      return (int) cuIpcOpenMemHandle_v2.HANDLE.invokeExact(pdptr, handle, Flags);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.1. */
  public static final int cuIpcCloseMemHandle$version = 4010;

  private static class cuIpcCloseMemHandle {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_LONG);
    static final MethodHandle HANDLE = Libcuda.handle("cuIpcCloseMemHandle", cuIpcCloseMemHandle$version, DESC);
  }

  public static int cuIpcCloseMemHandle(long dptr) {
    try {
      return (int) cuIpcCloseMemHandle.HANDLE.invokeExact(dptr);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 11.7. */
  public static final int cuMemGetHandleForAddressRange$version = 11070;

  private static class cuMemGetHandleForAddressRange {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_LONG, cuda_h.C_LONG, cuda_h.C_INT, cuda_h.C_LONG);
    static final MethodHandle HANDLE = Libcuda.handle("cuMemGetHandleForAddressRange", cuMemGetHandleForAddressRange$version, DESC);
  }

  public static int cuMemGetHandleForAddressRange(MemorySegment handle, long dptr, long size, int handleType, long flags) {
    try {
      return (int) cuMemGetHandleForAddressRange.HANDLE.invokeExact(handle, dptr, size, handleType, flags);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 5.5. */
  public static final int cuStreamCreateWithPriority$version = 5050;

  private static class cuStreamCreateWithPriority {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuStreamCreateWithPriority", cuStreamCreateWithPriority$version, DESC);
  }

  public static int cuStreamCreateWithPriority(MemorySegment phStream, int flags, int priority) {
    try {
      return (int) cuStreamCreateWithPriority.HANDLE.invokeExact(phStream, flags, priority);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.0. */
  public static final int cuStreamDestroy_v2$version = 4000;

  private static class cuStreamDestroy_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuStreamDestroy", cuStreamDestroy_v2$version, DESC);
  }

  public static int cuStreamDestroy_v2(MemorySegment hStream) {
    try {
      return (int) cuStreamDestroy_v2.HANDLE.invokeExact(hStream);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.0. */
  public static final int cuStreamQuery$version = 2000;

  private static class cuStreamQuery {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuStreamQuery", cuStreamQuery$version, DESC);
  }

  public static int cuStreamQuery(MemorySegment hStream) {
    try {
      return (int) cuStreamQuery.HANDLE.invokeExact(hStream);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 3.2. */
  public static final int cuStreamWaitEvent$version = 3020;

  private static class cuStreamWaitEvent {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuStreamWaitEvent", cuStreamWaitEvent$version, DESC);
  }

  public static int cuStreamWaitEvent(MemorySegment hStream, MemorySegment hEvent, int Flags) {
    try {
      return (int) cuStreamWaitEvent.HANDLE.invokeExact(hStream, hEvent, Flags);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 9.2. */
  public static final int cuStreamGetCtx$version = 9020;

  private static class cuStreamGetCtx {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuStreamGetCtx", cuStreamGetCtx$version, DESC);
  }

  public static int cuStreamGetCtx(MemorySegment hStream, MemorySegment pctx) {
    try {
      return (int) cuStreamGetCtx.HANDLE.invokeExact(hStream, pctx);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 10.0. */
  public static final int cuStreamIsCapturing$version = 10000;

  private static class cuStreamIsCapturing {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuStreamIsCapturing", cuStreamIsCapturing$version, DESC);
  }

  public static int cuStreamIsCapturing(MemorySegment hStream, MemorySegment captureStatus) {
    try {
      return (int) cuStreamIsCapturing.HANDLE.invokeExact(hStream, captureStatus);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 10.1. */
  public static final int cuStreamBeginCapture_v2$version = 10010;

  private static class cuStreamBeginCapture_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuStreamBeginCapture", cuStreamBeginCapture_v2$version, DESC);
  }

  public static int cuStreamBeginCapture_v2(MemorySegment hStream, int mode) {
    try {
      return (int) cuStreamBeginCapture_v2.HANDLE.invokeExact(hStream, mode);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 10.0. */
  public static final int cuStreamEndCapture$version = 10000;

  private static class cuStreamEndCapture {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuStreamEndCapture", cuStreamEndCapture$version, DESC);
  }

  public static int cuStreamEndCapture(MemorySegment hStream, MemorySegment phGraph) {
    try {
      return (int) cuStreamEndCapture.HANDLE.invokeExact(hStream, phGraph);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 11.7. */
  public static final int cuStreamWriteValue64_v2$version = 11070;

  private static class cuStreamWriteValue64_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_LONG, cuda_h.C_LONG, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuStreamWriteValue64", cuStreamWriteValue64_v2$version, DESC);
  }

  public static int cuStreamWriteValue64_v2(MemorySegment stream, long addr, long value, int flags) {
    try {
      return (int) cuStreamWriteValue64_v2.HANDLE.invokeExact(stream, addr, value, flags);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 11.7. */
  public static final int cuStreamWaitValue64_v2$version = 11070;

  private static class cuStreamWaitValue64_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_LONG, cuda_h.C_LONG, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuStreamWaitValue64", cuStreamWaitValue64_v2$version, DESC);
  }

  public static int cuStreamWaitValue64_v2(MemorySegment stream, long addr, long value, int flags) {
    try {
      return (int) cuStreamWaitValue64_v2.HANDLE.invokeExact(stream, addr, value, flags);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 11.4. */
  public static final int cuGraphInstantiateWithFlags$version = 11040;

  private static class cuGraphInstantiateWithFlags {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER, cuda_h.C_LONG);
    static final MethodHandle HANDLE = Libcuda.handle("cuGraphInstantiateWithFlags", cuGraphInstantiateWithFlags$version, DESC);
  }

  public static int cuGraphInstantiateWithFlags(MemorySegment phGraphExec, MemorySegment hGraph, long flags) {
    try {
      return (int) cuGraphInstantiateWithFlags.HANDLE.invokeExact(phGraphExec, hGraph, flags);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 11.1. */
  public static final int cuGraphUpload$version = 11010;

  private static class cuGraphUpload {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuGraphUpload", cuGraphUpload$version, DESC);
  }

  public static int cuGraphUpload(MemorySegment hGraphExec, MemorySegment hStream) {
    try {
      return (int) cuGraphUpload.HANDLE.invokeExact(hGraphExec, hStream);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 10.0. */
  public static final int cuGraphLaunch$version = 10000;

  private static class cuGraphLaunch {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuGraphLaunch", cuGraphLaunch$version, DESC);
  }

  public static int cuGraphLaunch(MemorySegment hGraphExec, MemorySegment hStream) {
    try {
      return (int) cuGraphLaunch.HANDLE.invokeExact(hGraphExec, hStream);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 10.0. */
  public static final int cuGraphDestroy$version = 10000;

  private static class cuGraphDestroy {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuGraphDestroy", cuGraphDestroy$version, DESC);
  }

  public static int cuGraphDestroy(MemorySegment hGraph) {
    try {
      return (int) cuGraphDestroy.HANDLE.invokeExact(hGraph);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 10.0. */
  public static final int cuGraphExecDestroy$version = 10000;

  private static class cuGraphExecDestroy {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuGraphExecDestroy", cuGraphExecDestroy$version, DESC);
  }

  public static int cuGraphExecDestroy(MemorySegment hGraphExec) {
    try {
      return (int) cuGraphExecDestroy.HANDLE.invokeExact(hGraphExec);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.0. */
  public static final int cuEventCreate$version = 2000;

  private static class cuEventCreate {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT);
    static final MethodHandle HANDLE = Libcuda.handle("cuEventCreate", cuEventCreate$version, DESC);
  }

  public static int cuEventCreate(MemorySegment phEvent, int Flags) {
    try {
      return (int) cuEventCreate.HANDLE.invokeExact(phEvent, Flags);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.0. */
  public static final int cuEventRecord$version = 2000;

  private static class cuEventRecord {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuEventRecord", cuEventRecord$version, DESC);
  }

  public static int cuEventRecord(MemorySegment hEvent, MemorySegment hStream) {
    try {
      return (int) cuEventRecord.HANDLE.invokeExact(hEvent, hStream);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.0. */
  public static final int cuEventQuery$version = 2000;

  private static class cuEventQuery {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuEventQuery", cuEventQuery$version, DESC);
  }

  public static int cuEventQuery(MemorySegment hEvent) {
    try {
      return (int) cuEventQuery.HANDLE.invokeExact(hEvent);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 12.8. */
  public static final int cuEventElapsedTime_v2$version = 12080;

  private static class cuEventElapsedTime_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuEventElapsedTime", cuEventElapsedTime_v2$version, DESC);
  }

  public static int cuEventElapsedTime_v2(MemorySegment pMilliseconds, MemorySegment hStart, MemorySegment hEnd) {
    try {
      return (int) cuEventElapsedTime_v2.HANDLE.invokeExact(pMilliseconds, hStart, hEnd);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.0. */
  public static final int cuEventDestroy_v2$version = 4000;

  private static class cuEventDestroy_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuEventDestroy", cuEventDestroy_v2$version, DESC);
  }

  public static int cuEventDestroy_v2(MemorySegment hEvent) {
    try {
      return (int) cuEventDestroy_v2.HANDLE.invokeExact(hEvent);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.0. */
  public static final int cuMemcpyAsync$version = 4000;

  private static class cuMemcpyAsync {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_LONG, cuda_h.C_LONG, cuda_h.C_LONG, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuMemcpyAsync", cuMemcpyAsync$version, DESC);
  }

  public static int cuMemcpyAsync(long dst, long src, long ByteCount, MemorySegment hStream) {
    try {
      return (int) cuMemcpyAsync.HANDLE.invokeExact(dst, src, ByteCount, hStream);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 3.2. */
  public static final int cuMemsetD8Async$version = 3020;

  private static class cuMemsetD8Async {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_LONG, cuda_h.C_CHAR, cuda_h.C_LONG, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuMemsetD8Async", cuMemsetD8Async$version, DESC);
  }

  public static int cuMemsetD8Async(long dstDevice, byte uc, long N, MemorySegment hStream) {
    try {
      return (int) cuMemsetD8Async.HANDLE.invokeExact(dstDevice, uc, N, hStream);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.0. */
  public static final int cuModuleLoadData$version = 2000;

  private static class cuModuleLoadData {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuModuleLoadData", cuModuleLoadData$version, DESC);
  }

  public static int cuModuleLoadData(MemorySegment module, MemorySegment image) {
    try {
      return (int) cuModuleLoadData.HANDLE.invokeExact(module, image);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 2.0. */
  public static final int cuModuleGetFunction$version = 2000;

  private static class cuModuleGetFunction {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuModuleGetFunction", cuModuleGetFunction$version, DESC);
  }

  public static int cuModuleGetFunction(MemorySegment hfunc, MemorySegment hmod, MemorySegment name) {
    try {
      return (int) cuModuleGetFunction.HANDLE.invokeExact(hfunc, hmod, name);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 12.4. */
  public static final int cuFuncLoad$version = 12040;

  private static class cuFuncLoad {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuFuncLoad", cuFuncLoad$version, DESC);
  }

  public static int cuFuncLoad(MemorySegment function) {
    try {
      return (int) cuFuncLoad.HANDLE.invokeExact(function);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** Since CUDA 4.0. */
  public static final int cuLaunchKernel$version = 4000;

  private static class cuLaunchKernel {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_INT, cuda_h.C_INT, cuda_h.C_INT, cuda_h.C_INT, cuda_h.C_INT, cuda_h.C_INT, cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuLaunchKernel", cuLaunchKernel$version, DESC);
  }

  public static int cuLaunchKernel(MemorySegment f, int gridDimX, int gridDimY, int gridDimZ, int blockDimX, int blockDimY, int blockDimZ, int sharedMemBytes, MemorySegment hStream, MemorySegment kernelParams, MemorySegment extra) {
    try {
      return (int) cuLaunchKernel.HANDLE.invokeExact(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream, kernelParams, extra);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  public static final int cuLaunchKernelEx$version = 11060;

  private static class cuLaunchKernelEx {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(cuda_h.C_INT, cuda_h.C_POINTER, cuda_h.C_POINTER, cuda_h.C_POINTER, cuda_h.C_POINTER);
    static final MethodHandle HANDLE = Libcuda.handle("cuLaunchKernelEx", cuLaunchKernelEx$version, DESC);
  }

  public static int cuLaunchKernelEx(MemorySegment config, MemorySegment f, MemorySegment kernelParams, MemorySegment extra) {
    try {
      return (int) cuLaunchKernelEx.HANDLE.invokeExact(config, f, kernelParams, extra);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }
}
