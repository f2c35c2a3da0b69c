// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.cuda_h;
import io.nitinol.spi.device.v1.Device;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says where other ranks find memory of this one. One thread at a time asks, within a launch; it
 * allocates nothing.
 */
final class PeerReach {
  /** What {@link #of} returns for memory that the other rank cannot read. */
  static final long NOWHERE = 0;

  private static final int ATTRIBUTES = 2;

  private final int device;
  private final List<@Nullable Device> devices;
  private final Supplier<CudaWindow[]> windows;
  private final MemorySegment attributes;
  private final MemorySegment values;
  private final MemorySegment pointers;
  private LongPredicate hidden = address -> false;

  /**
   * Prepares the questions of a rank.
   *
   * @param device the index of this rank's device
   * @param devices the device of each rank of this process, null for other ranks
   * @param windows those that are open
   * @param arena what the questions to the driver are kept in
   */
  PeerReach(
      int device, List<@Nullable Device> devices, Supplier<CudaWindow[]> windows, Arena arena) {
    this.device = device;
    this.devices = devices;
    this.windows = windows;
    attributes =
        arena.allocateFrom(
            ValueLayout.JAVA_INT,
            cuda_h.CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE(),
            cuda_h.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL());
    values = arena.allocate(ValueLayout.JAVA_LONG, ATTRIBUTES);
    pointers = arena.allocate(ValueLayout.ADDRESS, ATTRIBUTES);
    for (int i = 0; i < ATTRIBUTES; i++) {
      pointers.setAtIndex(ValueLayout.ADDRESS, i, values.asSlice(8L * i));
    }
  }

  /** Has memory at some addresses go through stages, for tests. */
  void hide(LongPredicate hidden) {
    this.hidden = hidden;
  }

  /** Returns where a rank finds bytes that this rank sends, or {@link #NOWHERE}. */
  long of(int peer, long address, long size) {
    if (hidden.test(address)) {
      return NOWHERE;
    }
    for (CudaWindow window : windows.get()) {
      if (window.contains(address, size)) {
        return window.seenBy(peer, address);
      }
    }
    Device other = devices.get(peer);
    if (other == null) {
      return NOWHERE;
    }
    // Ranks of one device are in one context, which has the same memory for both.
    return other.index() == device || isOpenToPeers(address) ? address : NOWHERE;
  }

  /**
   * Returns whether a device that may access this one may read a place, which is so for what {@code
   * cuMemAlloc} gave. Pools and mapped memory have an access of their own, which nobody may have
   * given; of memory that the driver says nothing of, nothing is assumed.
   */
  private boolean isOpenToPeers(long address) {
    values.fill((byte) 0);
    int result = cuda_h.cuPointerGetAttributes(ATTRIBUTES, attributes, pointers, address);
    return result == 0
        && values.get(ValueLayout.JAVA_INT, 0) != 0
        && values.get(ValueLayout.JAVA_INT, 8) == device;
  }
}
