// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one rank: the flags and slots in pinned host memory, the stages on the device, and
 * the area for sends and receives, which grows. Nothing is freed before {@link #close}, since to
 * free may mean to wait for a device that itself waits for the bridge thread.
 */
@OneThread
final class BridgeMemory implements AutoCloseable {
  /**
   * The bytes of one half of a slot. Smaller ones would spend more time in the calls of the network
   * than on the wire; larger ones would make an operation of a few megabytes a single chunk, of
   * which no two parts are under way at once.
   */
  static final int SLOT_BYTES = 1 << 20;

  private static final int ALIGNMENT = 256;

  /** Room in front of each half, and of each piece of the area, for the header of a message. */
  static final int FRONT = 256;

  /** Room behind each half, into which a part of another call's chunk may reach. */
  static final int BEHIND = 2048;

  /** The least that the area has room for: some small sends, until the network has taken them. */
  private static final long LEAST_AREA_BYTES = 4L * SLOT_BYTES;

  private static final long HALF_BYTES = (long) FRONT + SLOT_BYTES + BEHIND;

  private final Device device;
  private final List<DeviceMemory> held = new ArrayList<>();
  private final BridgeFlags flags;
  private final MemorySegment slots;
  private final MemorySegment[] out = new MemorySegment[Crossing.DEPTH];
  private final MemorySegment[] in = new MemorySegment[Crossing.DEPTH];
  private @Nullable DeviceMemory stages;
  private final long narrow;
  private final long wide;
  private @Nullable MemorySegment area;

  /**
   * Allocates all but the area.
   *
   * @param columns how many ranks a row has, so that the stage has room for what they all have
   */
  BridgeMemory(Device device, int columns) {
    this.device = device;
    boolean complete = false;
    try {
      long size = 2 * Crossing.DEPTH * HALF_BYTES;
      MemorySegment pinned = pinned(BridgeFlags.BYTES + size);
      flags = new BridgeFlags(pinned);
      slots = pinned.asSlice(BridgeFlags.BYTES, size);
      for (int i = 0; i < Crossing.DEPTH; i++) {
        out[i] = slots.asSlice(outOffset(i), SLOT_BYTES);
        in[i] = slots.asSlice(inOffset(i), SLOT_BYTES);
      }
      DeviceMemory allocated = device.allocate((1L + columns) * SLOT_BYTES);
      stages = allocated;
      narrow = allocated.address();
      wide = narrow + SLOT_BYTES;
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  private MemorySegment pinned(long size) {
    DeviceMemory memory = device.allocateHost(size);
    held.add(memory);
    return Objects.requireNonNull(memory.segment(), "pinned memory has a segment");
  }

  BridgeFlags flags() {
    return flags;
  }

  /** Returns all slots, in one piece, to be registered once. */
  MemorySegment slots() {
    return slots;
  }

  /** Returns where {@link #out} of a chunk begins in {@link #slots}, behind room for a header. */
  long outOffset(long chunk) {
    return 2 * (chunk % Crossing.DEPTH) * HALF_BYTES + FRONT;
  }

  /** Returns the same of {@link #in}. */
  long inOffset(long chunk) {
    return outOffset(chunk) + HALF_BYTES;
  }

  /** Returns the half of a chunk's slot that the network reads; it may write there too. */
  MemorySegment out(long chunk) {
    return out[(int) (chunk % Crossing.DEPTH)];
  }

  /** Returns the half of a chunk's slot into which the network writes. */
  MemorySegment in(long chunk) {
    return in[(int) (chunk % Crossing.DEPTH)];
  }

  /** Returns the device memory for {@link #SLOT_BYTES} bytes of one rank. */
  long narrow() {
    return narrow;
  }

  /** Returns the device memory for as many bytes of every rank of a row; behind the narrow one. */
  long wide() {
    return wide;
  }

  /** Returns the bytes of {@link #narrow} and {@link #wide} together. */
  static long stageBytes(int columns) {
    return (1L + columns) * SLOT_BYTES;
  }

  /**
   * Returns pinned memory of at least {@code size} bytes, and behind that room for a message that
   * is longer than was expected. What was returned before is not used by later operations but
   * stays.
   */
  MemorySegment area(long size) {
    MemorySegment known = area;
    if (known == null || areaBytes(known) < size) {
      // Twice as much each time, so that all of it together is less than twice the largest.
      long grown = known == null ? LEAST_AREA_BYTES : 2 * areaBytes(known);
      known = pinned(Math.max(size, grown) + DirectRail.MOST_BYTES);
      area = known;
    }
    return known;
  }

  /** Returns how many bytes of an area are for what sends and receives move. */
  static long areaBytes(MemorySegment area) {
    return area.byteSize() - DirectRail.MOST_BYTES;
  }

  /** Returns {@code size} rounded up, so that the next piece of the area is aligned. */
  static long aligned(long size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** Frees the stages, which other ranks may have open as a window until they close the team. */
  void closeStages() {
    DeviceMemory known = stages;
    stages = null;
    if (known != null) {
      known.close();
    }
  }

  /** Frees everything but the stages. */
  void closePinned() {
    DeviceException failure = null;
    for (DeviceMemory each : held) {
      try {
        each.close();
      } catch (DeviceException e) {
        failure = failure == null ? e : failure;
      }
    }
    held.clear();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() {
    try {
      closeStages();
    } finally {
      closePinned();
    }
  }
}
