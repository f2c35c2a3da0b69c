// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.kernel.v1.KernelProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The twin's devices, or why there are none; found once in a process.
 *
 * @param devices all of them
 * @param unavailable the reason, or null where there are devices
 */
record CpuDevices(List<Device> devices, @Nullable String unavailable) {
  private static final long LEAST_MEMORY = 1L << 20;
  private static final long MOST_MEMORY = 1L << 30;

  private static final class Holder {
    static final CpuDevices FOUND = find();
  }

  static CpuDevices found() {
    return Holder.FOUND;
  }

  private static CpuDevices find() {
    try {
      KernelProvider kernels = kernels();
      if (kernels == null) {
        return none("no KernelProvider that works is on the module path or class path");
      }
      Path directory = SharedFile.directory();
      SharedFile.removeStale();
      // Half of what is free now, for the devices of all processes that start soon.
      long size = Files.getFileStore(directory).getUsableSpace() / 2 / CpuDeviceProvider.DEVICES;
      if (size < LEAST_MEMORY) {
        return none("too little room in " + directory);
      }
      List<Device> devices = new ArrayList<>();
      for (int i = 0; i < CpuDeviceProvider.DEVICES; i++) {
        devices.add(new CpuDevice(i, Math.min(size, MOST_MEMORY), kernels));
      }
      return new CpuDevices(List.copyOf(devices), null);
    } catch (IOException | UncheckedIOException | ServiceConfigurationError e) {
      return none(e.toString());
    }
  }

  private static CpuDevices none(String reason) {
    return new CpuDevices(List.of(), reason);
  }

  /**
   * Returns the best kernels beside the twin, and beside the interface: those are the host's, and
   * the only ones where the twin was loaded from a jar of its own.
   */
  private static @Nullable KernelProvider kernels() {
    KernelProvider best = null;
    for (Class<?> neighbour : List.of(CpuDevices.class, KernelProvider.class)) {
      for (KernelProvider each :
          ServiceLoader.load(KernelProvider.class, neighbour.getClassLoader())) {
        if (each.unavailable() == null && (best == null || each.priority() > best.priority())) {
          best = each;
        }
      }
    }
    return best;
  }
}
