// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.device;

import io.nitinol.core.DeviceBuffer;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Memory of a device, and pinned memory of the host as large, in which the host writes what goes
 * there and looks at what came from there.
 */
final class MirroredMemory {
  private final DeviceMemory pinned;
  private final DeviceMemory memory;
  private final MemorySegment host;
  private final DeviceBuffer buffer;

  private MirroredMemory(DeviceMemory pinned, DeviceMemory memory) {
    this.pinned = pinned;
    this.memory = memory;
    this.host = Objects.requireNonNull(pinned.segment(), "pinned memory that the host cannot use");
    this.buffer = DeviceBuffer.of(memory);
  }

  /**
   * Allocates both.
   *
   * @throws io.nitinol.spi.device.v1.DeviceException where there is no room for one of them; then
   *     neither is left
   */
  static MirroredMemory allocate(Device device, long bytes) {
    DeviceMemory memory = device.allocate(bytes);
    try {
      return new MirroredMemory(device.allocateHost(bytes), memory);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  /** Returns the memory of the host. */
  MemorySegment host() {
    return host;
  }

  /** Returns the memory of the device, all of it. */
  DeviceBuffer buffer() {
    return buffer;
  }

  /** Returns whether {@code slice} is a part of the memory of the host. */
  boolean holds(MemorySegment slice) {
    long offset = slice.address() - host.address();
    return offset >= 0 && offset + slice.byteSize() <= host.byteSize();
  }

  /** Returns the part of the device's memory that {@code slice} stands for. */
  DeviceBuffer of(MemorySegment slice) {
    return buffer.slice(slice.address() - host.address(), slice.byteSize());
  }

  /** Puts a copy to the device into {@code stream}. */
  void upload(MemorySegment slice, DeviceStream stream) {
    stream.copy(of(slice).address(), slice.address(), slice.byteSize());
  }

  /** Puts a copy from the device into {@code stream}. */
  void download(MemorySegment slice, DeviceStream stream) {
    stream.copy(slice.address(), of(slice).address(), slice.byteSize());
  }

  /** Frees both; no stream uses them. */
  void close() {
    try {
      memory.close();
    } finally {
      pinned.close();
    }
  }
}
