// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.toolkit.file.KernelFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the kernel tells about cards in its file system. What cannot be read is not known:
 * containers hide files, and some entries answer EINVAL.
 *
 * @param files the machine's
 */
record Sysfs(KernelFiles files) {
  static final Sysfs OF_THIS_MACHINE = new Sysfs(KernelFiles.OF_THIS_MACHINE);

  private static final String CARDS = "/sys/class/infiniband/";
  private static final String MODULES = "/sys/module/";
  private static final String PEER_MEMORY = "/sys/kernel/mm/memory_peers/";
  private static final Pattern RATE = Pattern.compile("(\\d+)(?:\\.(\\d))? Gb/sec.*");

  /**
   * Returns where a card is on its bus.
   *
   * @return its real directory, or null for a virtual card
   */
  @Nullable Path device(String card) {
    try {
      Path real = files.path(CARDS + card + "/device").toRealPath();
      return real.toString().contains("/devices/virtual/") ? null : real;
    } catch (IOException e) {
      return null; // a virtual card has no device behind it
    }
  }

  /**
   * Returns the RoCE version of an entry of a port's table of GIDs.
   *
   * @return 1 or 2, or 0 where it is not known
   */
  int roceVersion(String card, int port, int index) {
    String type = read(CARDS + card + "/ports/" + port + "/gid_attrs/types/" + index);
    return switch (type) {
      case "IB/RoCE v1", "RoCE v1" -> 1;
      case "RoCE v2" -> 2;
      default -> 0;
    };
  }

  /**
   * Returns the speed of a port as the kernel has it.
   *
   * @return Mb/s, or 0 where it is not known
   */
  int rate(String card, int port) {
    Matcher rate = RATE.matcher(read(CARDS + card + "/ports/" + port + "/rate"));
    if (!rate.matches() || rate.group(1).length() > 6) {
      return 0;
    }
    String tenths = rate.group(2);
    return Integer.parseInt(rate.group(1)) * 1000
        + (tenths == null ? 0 : Integer.parseInt(tenths) * 100);
  }

  /** Returns whether the kernel can register GPU memory with cards without a dma-buf. */
  boolean hasPeerMemory() {
    return files.exists(MODULES + "nvidia_peermem/version")
        || files.exists(PEER_MEMORY + "nv_mem/version")
        || files.exists(PEER_MEMORY + "nv_mem_nc/version");
  }

  /** Returns whether NVIDIA's driver is loaded. */
  boolean hasGpuDriver() {
    return files.exists(MODULES + "nvidia/version");
  }

  private String read(String name) {
    try {
      String text = files.text(name);
      return text == null ? "" : text;
    } catch (IOException e) {
      return "";
    }
  }
}
