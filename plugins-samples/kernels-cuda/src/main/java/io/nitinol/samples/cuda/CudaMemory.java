// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.MemoryKind;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Memory that the provider holds for its caller, and how it is given back. */
final class CudaMemory implements DeviceMemory {
  private final Device device;
  private final MemoryKind kind;
  private final long address;
  private final long size;
  private final @Nullable MemorySegment segment;
  private final Runnable release;
  private final AtomicBoolean closed = new AtomicBoolean();

  CudaMemory(
      Device device,
      MemoryKind kind,
      long address,
      long size,
      @Nullable MemorySegment segment,
      Runnable release) {
    this.device = device;
    this.kind = kind;
    this.address = address;
    this.size = size;
    this.segment = segment;
    this.release = release;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public MemoryKind kind() {
    return kind;
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public @Nullable MemorySegment segment() {
    return segment;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      release.run();
    }
  }
}
