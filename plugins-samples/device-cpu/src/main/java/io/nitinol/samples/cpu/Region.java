// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.MemoryKind;
import io.nitinol.spi.device.v1.MemoryRange;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A piece of host memory that the twin knows.
 *
 * @param kind whether it counts as a device's or as pinned host memory
 * @param device the device that owns it, or {@link MemoryRange#NO_DEVICE}
 * @param segment all of its bytes, for any thread
 * @param handle what other processes open it by; null for pinned host memory
 */
record Region(
    MemoryKind kind, int device, MemorySegment segment, @Nullable CpuSharedHandle handle) {

  long address() {
    return segment.address();
  }

  MemoryRange range() {
    return new MemoryRange(kind, device, address(), segment.byteSize());
  }
}
