// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.Libnvml;
import io.nitinol.samples.cuda.ffi.nvml_h;
import io.nitinol.spi.device.v1.DeviceLink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** What NVML adds to the driver's answers, where it is there: what links are made of. */
final class Nvml {
  private Nvml() {}

  private static final class Holder {
    static final boolean THERE =
        Libnvml.absence() == null && nvml_h.nvmlInit_v2() == nvml_h.NVML_SUCCESS();
  }

  /**
   * Returns the kind of the link of two devices.
   *
   * @param first the address of one on the PCI bus, or null
   * @param second that of the other
   * @param access whether one reaches the other's memory
   */
  static DeviceLink.Kind kind(@Nullable String first, @Nullable String second, boolean access) {
    if (!Holder.THERE || first == null || second == null) {
      return DeviceLink.Kind.UNKNOWN;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = device(arena, first);
      MemorySegment to = device(arena, second);
      MemorySegment status = arena.allocate(ValueLayout.JAVA_INT);
      if (from == null
          || to == null
          || nvml_h.nvmlDeviceGetP2PStatus(from, to, nvml_h.NVML_P2P_CAPS_INDEX_NVLINK(), status)
              != nvml_h.NVML_SUCCESS()) {
        return DeviceLink.Kind.UNKNOWN;
      }
      if (status.get(ValueLayout.JAVA_INT, 0) == nvml_h.NVML_P2P_STATUS_OK()) {
        return DeviceLink.Kind.FABRIC;
      }
    }
    return access ? DeviceLink.Kind.PCI : DeviceLink.Kind.HOST;
  }

  /** Returns how many NVLinks of a device are active; 0 where NVML is not there. */
  static int activeLinks(@Nullable String pciId) {
    if (!Holder.THERE || pciId == null) {
      return 0;
    }
    int active = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment device = device(arena, pciId);
      MemorySegment state = arena.allocate(ValueLayout.JAVA_INT);
      for (int i = 0; device != null && i < nvml_h.NVML_NVLINK_MAX_LINKS(); i++) {
        if (nvml_h.nvmlDeviceGetNvLinkState(device, i, state) == nvml_h.NVML_SUCCESS()
            && state.get(ValueLayout.JAVA_INT, 0) == nvml_h.NVML_FEATURE_ENABLED()) {
          active++;
        }
      }
    }
    return active;
  }

  private static @Nullable MemorySegment device(Arena arena, String pciId) {
    MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
    int result = nvml_h.nvmlDeviceGetHandleByPciBusId_v2(arena.allocateFrom(pciId), out);
    return result == nvml_h.NVML_SUCCESS() ? out.get(ValueLayout.ADDRESS, 0) : null;
  }
}
