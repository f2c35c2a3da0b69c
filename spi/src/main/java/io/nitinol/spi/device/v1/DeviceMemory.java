// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A piece of memory that a provider holds for the caller: allocated, registered or opened. Other
 * libraries' memory needs no such object, since all operations take addresses.
 */
public interface DeviceMemory extends AutoCloseable {

  /** {@return the device that made it} */
  Device device();

  /** {@return where it lies} */
  MemoryKind kind();

  /** {@return the first byte, at the same address for the host and all devices that reach it} */
  long address();

  /** {@return the number of bytes that were asked for; of opened memory, that were exported} */
  long size();

  /**
   * Returns the segment through which the CPU reads and writes the memory.
   *
   * @return a segment that every thread can access until {@link #close}; null where the CPU must
   *     not dereference the memory
   */
  @Nullable MemorySegment segment();

  /**
   * Frees, unpins or closes the memory. The caller has made sure that no stream uses it; the call
   * may wait for the device. A second call does nothing.
   *
   * @throws DeviceException with DEVICE_LOST or DRIVER_ERROR; the memory is gone all the same
   */
  @Override
  void close();
}
