// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

import java.util.Objects;

/**
 * An allocation that a driver knows, whichever library made it: what {@link DeviceProvider#find}
 * answers. A snapshot; it owns nothing.
 *
 * @param kind where it lies
 * @param device the index of the device that owns it; {@link #NO_DEVICE} unless the kind is {@link
 *     MemoryKind#DEVICE}
 * @param address the first byte of the whole allocation, unsigned
 * @param size its size in bytes, at least 1
 */
public record MemoryRange(MemoryKind kind, int device, long address, long size) {

  /** The memory belongs to no one device. */
  public static final int NO_DEVICE = -1;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException when the size is not positive or the device does not fit the
   *     kind
   */
  public MemoryRange {
    Objects.requireNonNull(kind, "kind");
    if (size < 1) {
      throw new IllegalArgumentException("size of an allocation: expected at least 1, got " + size);
    }
    if ((kind == MemoryKind.DEVICE) != (device >= 0) || device < NO_DEVICE) {
      throw new IllegalArgumentException(kind + " memory cannot be of device " + device);
    }
  }

  /**
   * Returns where an address lies in the allocation.
   *
   * @param inside an address
   * @return how many bytes it lies behind the first byte, negative or not below {@link #size} where
   *     it lies outside
   */
  public long offsetOf(long inside) {
    return inside - address;
  }

  /**
   * Returns whether a range of bytes lies in the allocation.
   *
   * @param start its first byte
   * @param length its number of bytes, not negative
   * @return true if all of them do
   */
  public boolean contains(long start, long length) {
    long offset = offsetOf(start);
    return offset >= 0 && length >= 0 && offset <= size && length <= size - offset;
  }
}
