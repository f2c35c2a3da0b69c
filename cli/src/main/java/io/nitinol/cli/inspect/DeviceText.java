// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.SizeText;
import java.util.ArrayList;
import java.util.List;

/** What a network device can do, as one sentence. */
final class DeviceText {
  private static final double MEGABITS_PER_GIGABIT = 1000;

  private DeviceText() {}

  /**
   * Returns the attributes, such as {@code eth0: 10 Gbit/s, host memory, at most 65536 connections,
   * messages up to 1 GiB}.
   */
  static String of(NetProperties device) {
    List<String> parts = new ArrayList<>();
    parts.add(speed(device.speed()));
    parts.add(memory(device.ptrSupport()));
    if (device.latency() > 0) {
      parts.add(ErrorText.of("latency %s us", plain(device.latency())));
    }
    parts.add(device.pciPath() == null ? "no PCI path" : "PCI path " + device.pciPath());
    if (device.guid() != 0) {
      parts.add(ErrorText.of("GUID 0x%x", device.guid()));
    }
    if (device.port() > 0) {
      parts.add("port " + device.port());
    }
    parts.add(ErrorText.of("at most %d connections", device.maxComms()));
    parts.add(ErrorText.of("%d at once in a receive", device.maxRecvs()));
    parts.add("messages up to " + SizeText.of(device.maxP2pBytes()));
    if (device.regIsGlobal()) {
      parts.add("registrations serve all connections");
    }
    if (device.forceFlush()) {
      parts.add("receives into GPU memory are always flushed");
    }
    if (device.netDeviceType() != NetDeviceType.HOST) {
      parts.add(
          ErrorText.of(
              "driven by %s version %d", device.netDeviceType(), device.netDeviceVersion()));
    }
    if (device.virtualDevice().devices().size() > 1) {
      parts.add("made of devices " + device.virtualDevice().devices());
    }
    if (device.railId() != NetProperties.ID_UNDEFINED) {
      parts.add("rail " + device.railId());
    }
    if (device.planeId() != NetProperties.ID_UNDEFINED) {
      parts.add("plane " + device.planeId());
    }
    return device.name() + ": " + String.join(", ", parts);
  }

  private static String speed(int megabits) {
    return megabits < MEGABITS_PER_GIGABIT
        ? megabits + " Mbit/s"
        : plain(megabits / MEGABITS_PER_GIGABIT) + " Gbit/s";
  }

  /** Returns a number without the zeros behind its point. */
  private static String plain(double number) {
    return number == Math.rint(number)
        ? ErrorText.of("%.0f", number)
        : ErrorText.of("%.1f", number);
  }

  private static String memory(int mask) {
    List<String> kinds = new ArrayList<>();
    if (PointerType.HOST.in(mask)) {
      kinds.add("host memory");
    }
    if (PointerType.CUDA.in(mask)) {
      kinds.add("GPU memory (GPUDirect)");
    }
    if (PointerType.DMABUF.in(mask)) {
      kinds.add("GPU memory by DMA-BUF");
    }
    return kinds.isEmpty() ? "no kind of memory" : String.join(" and ", kinds);
  }
}
