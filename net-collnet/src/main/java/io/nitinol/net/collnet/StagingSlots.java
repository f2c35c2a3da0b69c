// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory of a member, registered with one of its comms and cut into slots of one size. It holds
 * descriptors with the bytes of small operations, and segments that the caller has in several
 * pieces.
 */
final class StagingSlots {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final MemoryHandle registration;
  private final long slotBytes;
  private final int[] free;
  private int available;

  StagingSlots(Net net, Comm comm, long slotBytes, int slots) {
    this.slotBytes = slotBytes;
    try {
      memory = arena.allocate(slotBytes * slots, 64);
      registration = net.regMr(comm, Memory.ofHost(memory));
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
    free = new int[slots];
    for (int i = 0; i < slots; i++) {
      free[i] = i;
    }
    available = slots;
  }

  MemorySegment memory() {
    return memory;
  }

  MemoryHandle registration() {
    return registration;
  }

  long offset(int slot) {
    return slot * slotBytes;
  }

  /** Returns a free slot, or -1: there is none now. */
  int take() {
    return available == 0 ? -1 : free[--available];
  }

  void give(int slot) {
    free[available++] = slot;
  }

  /** Frees the memory, once the comm is closed. */
  void close() {
    arena.close();
  }
}
