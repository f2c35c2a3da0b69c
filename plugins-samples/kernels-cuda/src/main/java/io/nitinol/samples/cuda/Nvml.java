// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.Libnvml;
import io.nitinol.samples.cuda.ffi.nvml_h;
import io.nitinol.spi.device.v1.DeviceLink;
import io.nitinol.spi.topology.v1.DeviceWiring;
import io.nitinol.spi.topology.v1.FabricLink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What NVML adds to the driver's answers, where it is there: what links are made of. */
final class Nvml {
  private static final int HOPPER = 90;
  private static final int MOST_CPU_LINKS = 64;

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

  /**
   * Describes a device and its links.
   *
   * @param pciId its address on the PCI bus
   * @param generation 10 × major + minor of its compute capability
   * @param networkAccess whether network cards can use its memory
   */
  static DeviceWiring wiring(String pciId, int generation, boolean networkAccess) {
    if (Holder.THERE) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment device = device(arena, pciId);
        if (device != null) {
          MemorySegment index = arena.allocate(ValueLayout.JAVA_INT);
          boolean numbered = nvml_h.nvmlDeviceGetIndex(device, index) == nvml_h.NVML_SUCCESS();
          int[] toCpu = generation >= HOPPER ? cpuLinks(arena, device) : new int[2];
          return new DeviceWiring(
              pciId,
              numbered ? index.get(ValueLayout.JAVA_INT, 0) : -1,
              generation,
              networkAccess,
              links(arena, device),
              toCpu[0],
              toCpu[1]);
        }
      }
    }
    return new DeviceWiring(pciId, -1, generation, networkAccess, List.of(), 0, 0);
  }

  /** Returns the active links by which peers are reached, joined by where they lead to. */
  private static List<FabricLink> links(Arena arena, MemorySegment device) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    MemorySegment answer = arena.allocate(ValueLayout.JAVA_INT);
    MemorySegment remote = arena.allocate(NvmlStructs.PCI_INFO);
    int able = nvml_h.NVML_NVLINK_CAP_P2P_SUPPORTED();
    for (int i = 0; i < nvml_h.NVML_NVLINK_MAX_LINKS(); i++) {
      boolean peers =
          nvml_h.nvmlDeviceGetNvLinkCapability(device, i, able, answer) == nvml_h.NVML_SUCCESS()
              && answer.get(ValueLayout.JAVA_INT, 0) != 0;
      boolean active =
          nvml_h.nvmlDeviceGetNvLinkState(device, i, answer) == nvml_h.NVML_SUCCESS()
              && answer.get(ValueLayout.JAVA_INT, 0) == nvml_h.NVML_FEATURE_ENABLED();
      if (peers
          && active
          && nvml_h.nvmlDeviceGetNvLinkRemotePciInfo_v2(device, i, remote)
              == nvml_h.NVML_SUCCESS()) {
        counts.merge(NvmlStructs.busId(remote), 1, Integer::sum);
      }
    }
    List<FabricLink> links = new ArrayList<>();
    counts.forEach((peer, count) -> links.add(new FabricLink(peer, count)));
    return links;
  }

  /** Returns how many links to the processor are active, and what one carries in MB/s. */
  private static int[] cpuLinks(Arena arena, MemorySegment device) {
    int all = field(arena, device, nvml_h.NVML_FI_DEV_C2C_LINK_COUNT(), 0);
    int active = 0;
    int rate = 0;
    for (int i = 0; i < Math.min(all, MOST_CPU_LINKS); i++) {
      if (field(arena, device, nvml_h.NVML_FI_DEV_C2C_LINK_GET_STATUS(), i) == 1) {
        active++;
        rate = Math.max(0, field(arena, device, nvml_h.NVML_FI_DEV_C2C_LINK_GET_MAX_BW(), i));
      }
    }
    return new int[] {active, rate};
  }

  /** Returns a field's value; 0 where the driver does not know it. */
  private static int field(Arena arena, MemorySegment device, int field, int scope) {
    MemorySegment value = NvmlStructs.fieldValue(arena, field, scope);
    return nvml_h.nvmlDeviceGetFieldValues(device, 1, value) == nvml_h.NVML_SUCCESS()
        ? NvmlStructs.value(value)
        : 0;
  }

  private static @Nullable MemorySegment device(Arena arena, String pciId) {
    MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
    int result = nvml_h.nvmlDeviceGetHandleByPciBusId_v2(arena.allocateFrom(pciId), out);
    return result == nvml_h.NVML_SUCCESS() ? out.get(ValueLayout.ADDRESS, 0) : null;
  }
}
