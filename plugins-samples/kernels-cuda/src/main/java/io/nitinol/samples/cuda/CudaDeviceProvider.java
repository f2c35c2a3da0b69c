// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.MemoryRange;
import io.nitinol.spi.topology.v1.DeviceWiring;
import io.nitinol.spi.topology.v1.WiredDevices;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The provider of NVIDIA's devices, by the CUDA driver. Instances share their devices. */
public final class CudaDeviceProvider implements DeviceProvider, WiredDevices {

  /** Creates a view of the driver; everything else happens when it is used. */
  public CudaDeviceProvider() {}

  @Override
  public String name() {
    return "cuda";
  }

  @Override
  public int priority() {
    return 100;
  }

  @Override
  public @Nullable String unavailable() {
    return CudaDriver.found().unavailable();
  }

  @Override
  public PointerType memoryType() {
    return PointerType.CUDA;
  }

  @Override
  public List<Device> devices() {
    return CudaDriver.found().devices();
  }

  @Override
  public int memoryHandleSize() {
    return unavailable() == null ? CudaSharedHandle.SIZE : 0;
  }

  @Override
  public @Nullable MemoryRange find(long address) {
    return unavailable() == null ? CudaAddresses.find(address) : null;
  }

  @Override
  public List<DeviceWiring> wiring() {
    List<DeviceWiring> wiring = new ArrayList<>();
    for (Device device : devices()) {
      String pciId = device.pciId();
      if (pciId != null && device instanceof CudaDevice cuda) {
        wiring.add(Nvml.wiring(pciId, cuda.capability(), cuda.networkAccess()));
      }
    }
    return wiring;
  }
}
