// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.MemoryKind;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Memory that the twin holds for its caller: a region and how it is given back. */
final class CpuMemory implements DeviceMemory {
  private final CpuDevice device;
  private final Region region;
  private final Runnable release;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Takes over a region that is in the {@link CpuAddressSpace}. */
  CpuMemory(CpuDevice device, Region region, Runnable release) {
    this.device = device;
    this.region = region;
    this.release = release;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public MemoryKind kind() {
    return region.kind();
  }

  @Override
  public long address() {
    return region.address();
  }

  @Override
  public long size() {
    return region.segment().byteSize();
  }

  @Override
  public @Nullable MemorySegment segment() {
    return region.segment();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      CpuAddressSpace.remove(region);
      release.run();
    }
  }
}
