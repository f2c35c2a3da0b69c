// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.Libcuda;
import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was found when the driver was first asked for: devices, or why there are none.
 *
 * @param unavailable the reason in words for the user, or null
 * @param own the devices in the driver's order
 */
record CudaDriver(@Nullable String unavailable, List<CudaDevice> own) {

  private static final class Holder {
    static final CudaDriver FOUND = look();
  }

  /** Loads the driver at the first call. */
  static CudaDriver found() {
    return Holder.FOUND;
  }

  List<Device> devices() {
    return List.copyOf(own);
  }

  /** Returns the device with an identifier that {@link Device#uuid} gave, or null. */
  @Nullable CudaDevice byUuid(String uuid) {
    for (CudaDevice device : own) {
      if (device.uuid().equals(uuid)) {
        return device;
      }
    }
    return null;
  }

  private static CudaDriver look() {
    String absence = Libcuda.absence();
    if (absence != null) {
      return none(absence);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      int result = cuda_h.cuInit(0);
      if (result != 0) {
        return none("cuInit: " + CudaFailures.describe(result));
      }
      result = cuda_h.cuDriverGetVersion(out);
      int version = out.get(ValueLayout.JAVA_INT, 0);
      if (result != 0 || version < Libcuda.REQUIRED_VERSION) {
        return none(
            String.format(
                Locale.ROOT,
                "the driver is of CUDA %d.%d, and the kernels need %d.%d (driver 580 or newer)",
                version / 1000,
                version % 1000 / 10,
                Libcuda.REQUIRED_VERSION / 1000,
                Libcuda.REQUIRED_VERSION % 1000 / 10));
      }
      result = cuda_h.cuDeviceGetCount(out);
      int count = out.get(ValueLayout.JAVA_INT, 0);
      if (result != 0 || count == 0) {
        return none("no device: cuDeviceGetCount: " + CudaFailures.describe(result));
      }
      List<CudaDevice> devices = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        devices.add(CudaDevice.find(i));
      }
      return new CudaDriver(null, List.copyOf(devices));
    } catch (DeviceException e) {
      return none(String.valueOf(e.getMessage()));
    }
  }

  private static CudaDriver none(String reason) {
    return new CudaDriver(reason, List.of());
  }
}
