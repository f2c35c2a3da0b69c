// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.net.nativeabi.ffi.PropertiesLayout;
import io.nitinol.net.nativeabi.ffi.PropertyField;
import io.nitinol.net.nativeabi.ffi.VirtualDeviceLayout;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Writes the properties of a device into the struct of any version. */
final class PropertiesWriter {
  private static final Map<String, Long> STRINGS = new ConcurrentHashMap<>();

  private PropertiesWriter() {}

  /** Fills the struct of {@code version} at {@code to}; its strings live as long as the process. */
  static void write(NetProperties device, int version, long to) {
    PropertiesLayout layout = PropertiesLayout.of(version);
    for (PropertyField field : PropertyField.values()) {
      if (layout.has(field)) {
        write(device, version, field, to + layout.offset(field));
      }
    }
  }

  private static void write(NetProperties device, int version, PropertyField field, long at) {
    switch (field) {
      case NAME -> NcclMemory.putLong(at, string(device.name()));
      case PCI_PATH -> {
        String path = device.pciPath();
        NcclMemory.putLong(at, path == null ? 0 : string(path));
      }
      case GUID -> NcclMemory.putLong(at, device.guid());
      case PTR_SUPPORT -> NcclMemory.putInt(at, device.ptrSupport());
      case REG_IS_GLOBAL -> NcclMemory.putInt(at, device.regIsGlobal() ? 1 : 0);
      case FORCE_FLUSH -> NcclMemory.putInt(at, device.forceFlush() ? 1 : 0);
      case SPEED -> NcclMemory.putInt(at, device.speed());
      case PORT -> NcclMemory.putInt(at, device.port());
      case LATENCY -> NcclMemory.putFloat(at, device.latency());
      case MAX_COMMS -> NcclMemory.putInt(at, device.maxComms());
      case MAX_RECVS -> NcclMemory.putInt(at, maxRecvs(device));
      case NET_DEVICE_TYPE -> NcclMemory.putInt(at, device.netDeviceType().code());
      case NET_DEVICE_VERSION -> NcclMemory.putInt(at, device.netDeviceVersion());
      case V_PROPS -> writeParts(device.virtualDevice(), version, at);
      case MAX_P2P_BYTES -> NcclMemory.putLong(at, limit(device.maxP2pBytes()));
      case MAX_COLL_BYTES -> NcclMemory.putLong(at, limit(device.maxCollBytes()));
      case MAX_MULTI_REQUEST_SIZE -> NcclMemory.putInt(at, device.maxMultiRequestSize());
      case RAIL_ID -> NcclMemory.putShort(at, device.railId());
      case PLANE_ID -> NcclMemory.putShort(at, device.planeId());
    }
  }

  private static void writeParts(VirtualDevice parts, int version, long at) {
    List<Integer> devices = parts.devices();
    int most = VirtualDeviceLayout.maxDevices(version);
    if (devices.size() > most) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "a device of %s others: version %s of ncclNet has room for %s",
              devices.size(), version, most));
    }
    NcclMemory.putInt(at + VirtualDeviceLayout.NDEVS, devices.size());
    for (int i = 0; i < most; i++) {
      NcclMemory.putInt(
          at + VirtualDeviceLayout.DEVS + (long) i * Integer.BYTES,
          i < devices.size() ? devices.get(i) : 0);
    }
  }

  /** Returns how many buffers a receive may have, whatever the device says that it takes. */
  static int maxRecvs(NetProperties device) {
    return Math.clamp(device.maxRecvs(), 1, NcclLimits.MAX_RECVS);
  }

  /** NCCL refuses a device that claims more. */
  private static long limit(long bytes) {
    return Math.min(bytes, NcclLimits.MAX_MESSAGE);
  }

  private static long string(String text) {
    return STRINGS.computeIfAbsent(text, NcclMemory::string);
  }
}
