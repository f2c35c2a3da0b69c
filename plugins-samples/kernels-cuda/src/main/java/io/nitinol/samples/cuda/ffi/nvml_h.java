// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.foreign.ValueLayout.OfByte;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;
import java.lang.invoke.MethodHandle;

/** Functions and constants of {@code nvml.h}; to be called only where {@link Libnvml} is there. */
public class nvml_h {
  nvml_h() {
    // Should not be called directly
  }

  public static final OfByte C_CHAR = ValueLayout.JAVA_BYTE;
  public static final OfInt C_INT = ValueLayout.JAVA_INT;
  public static final OfLong C_LONG = ValueLayout.JAVA_LONG;
  public static final AddressLayout C_POINTER = ValueLayout.ADDRESS;

  public static int NVML_SUCCESS() { return 0; }
  public static int NVML_FEATURE_ENABLED() { return 1; }
  public static int NVML_NVLINK_MAX_LINKS() { return 18; }
  public static int NVML_P2P_STATUS_OK() { return 0; }
  public static int NVML_P2P_CAPS_INDEX_NVLINK() { return 2; }
  public static int NVML_NVLINK_CAP_P2P_SUPPORTED() { return 0; }
  public static int NVML_FI_DEV_C2C_LINK_COUNT() { return 170; }
  public static int NVML_FI_DEV_C2C_LINK_GET_STATUS() { return 171; }
  public static int NVML_FI_DEV_C2C_LINK_GET_MAX_BW() { return 172; }

  private static class nvmlInit_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(nvml_h.C_INT);
    static final MethodHandle HANDLE = Libnvml.handle("nvmlInit_v2", DESC);
  }

  public static int nvmlInit_v2() {
    try {
      return (int) nvmlInit_v2.HANDLE.invokeExact();
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class nvmlDeviceGetHandleByPciBusId_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(nvml_h.C_INT, nvml_h.C_POINTER, nvml_h.C_POINTER);
    static final MethodHandle HANDLE = Libnvml.handle("nvmlDeviceGetHandleByPciBusId_v2", DESC);
  }

  public static int nvmlDeviceGetHandleByPciBusId_v2(MemorySegment pciBusId, MemorySegment device) {
    try {
      return (int) nvmlDeviceGetHandleByPciBusId_v2.HANDLE.invokeExact(pciBusId, device);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class nvmlDeviceGetP2PStatus {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(nvml_h.C_INT, nvml_h.C_POINTER, nvml_h.C_POINTER, nvml_h.C_INT, nvml_h.C_POINTER);
    static final MethodHandle HANDLE = Libnvml.handle("nvmlDeviceGetP2PStatus", DESC);
  }

  public static int nvmlDeviceGetP2PStatus(MemorySegment device1, MemorySegment device2, int p2pIndex, MemorySegment p2pStatus) {
    try {
      return (int) nvmlDeviceGetP2PStatus.HANDLE.invokeExact(device1, device2, p2pIndex, p2pStatus);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class nvmlDeviceGetNvLinkState {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(nvml_h.C_INT, nvml_h.C_POINTER, nvml_h.C_INT, nvml_h.C_POINTER);
    static final MethodHandle HANDLE = Libnvml.handle("nvmlDeviceGetNvLinkState", DESC);
  }

  public static int nvmlDeviceGetNvLinkState(MemorySegment device, int link, MemorySegment isActive) {
    try {
      return (int) nvmlDeviceGetNvLinkState.HANDLE.invokeExact(device, link, isActive);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class nvmlDeviceGetNvLinkCapability {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(nvml_h.C_INT, nvml_h.C_POINTER, nvml_h.C_INT, nvml_h.C_INT, nvml_h.C_POINTER);
    static final MethodHandle HANDLE = Libnvml.handle("nvmlDeviceGetNvLinkCapability", DESC);
  }

  public static int nvmlDeviceGetNvLinkCapability(MemorySegment device, int link, int capability, MemorySegment capResult) {
    try {
      return (int) nvmlDeviceGetNvLinkCapability.HANDLE.invokeExact(device, link, capability, capResult);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class nvmlDeviceGetNvLinkRemotePciInfo_v2 {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(nvml_h.C_INT, nvml_h.C_POINTER, nvml_h.C_INT, nvml_h.C_POINTER);
    static final MethodHandle HANDLE = Libnvml.handle("nvmlDeviceGetNvLinkRemotePciInfo_v2", DESC);
  }

  public static int nvmlDeviceGetNvLinkRemotePciInfo_v2(MemorySegment device, int link, MemorySegment pci) {
    try {
      return (int) nvmlDeviceGetNvLinkRemotePciInfo_v2.HANDLE.invokeExact(device, link, pci);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class nvmlDeviceGetFieldValues {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(nvml_h.C_INT, nvml_h.C_POINTER, nvml_h.C_INT, nvml_h.C_POINTER);
    static final MethodHandle HANDLE = Libnvml.handle("nvmlDeviceGetFieldValues", DESC);
  }

  public static int nvmlDeviceGetFieldValues(MemorySegment device, int valuesCount, MemorySegment values) {
    try {
      return (int) nvmlDeviceGetFieldValues.HANDLE.invokeExact(device, valuesCount, values);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static class nvmlDeviceGetIndex {
    static final FunctionDescriptor DESC = FunctionDescriptor.of(nvml_h.C_INT, nvml_h.C_POINTER, nvml_h.C_POINTER);
    static final MethodHandle HANDLE = Libnvml.handle("nvmlDeviceGetIndex", DESC);
  }

  public static int nvmlDeviceGetIndex(MemorySegment device, MemorySegment index) {
    try {
      return (int) nvmlDeviceGetIndex.HANDLE.invokeExact(device, index);
    } catch (Error | RuntimeException ex$) {
      throw ex$;
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }
}
