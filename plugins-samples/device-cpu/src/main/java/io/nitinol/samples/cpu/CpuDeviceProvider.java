// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.MemoryRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The CPU twin: a provider of {@value #DEVICES} devices that are host memory and threads. Instances
 * share their devices.
 */
public final class CpuDeviceProvider implements DeviceProvider {
  /** How many devices the twin has. */
  public static final int DEVICES = 4;

  /** Creates a view of the twin; everything else happens when it is used. */
  public CpuDeviceProvider() {}

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public int priority() {
    return -1;
  }

  @Override
  public @Nullable String unavailable() {
    return CpuDevices.found().unavailable();
  }

  @Override
  public PointerType memoryType() {
    return PointerType.HOST;
  }

  @Override
  public List<Device> devices() {
    return CpuDevices.found().devices();
  }

  @Override
  public int memoryHandleSize() {
    return unavailable() == null ? CpuSharedHandle.SIZE : 0;
  }

  @Override
  public @Nullable MemoryRange find(long address) {
    Region region = CpuAddressSpace.find(address);
    return region == null ? null : region.range();
  }
}
