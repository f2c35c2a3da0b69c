// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.memory;

import io.nitinol.core.transport.Slots;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where lent messages lie, by slot; what makes an entry visible is that its slot is posted. */
final class LentBuffers {
  private final @Nullable MemorySegment[] memory = new @Nullable MemorySegment[Slots.COUNT];
  private final long[] offsets = new long[Slots.COUNT];

  LentBuffers() {}

  void set(long number, MemorySegment from, long offset) {
    int i = (int) number & Slots.MASK;
    memory[i] = from;
    offsets[i] = offset;
  }

  MemorySegment memory(long number) {
    return Objects.requireNonNull(memory[(int) number & Slots.MASK]);
  }

  long offset(long number) {
    return offsets[(int) number & Slots.MASK];
  }
}
