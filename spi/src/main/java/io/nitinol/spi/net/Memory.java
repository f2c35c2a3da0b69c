// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

import io.nitinol.spi.PointerType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A piece of memory to be registered: its address, size and kind; mirrors the arguments {@code
 * data}, {@code size} and {@code type} of the C {@code regMr}. Host memory also carries the segment
 * it can be read through; device memory has none, since the CPU cannot dereference it.
 *
 * <p>The caller owns the memory. It keeps it alive until the registration is undone and no
 * operation that uses it is in flight, which is so at the latest when the comm is closed ({@code
 * NET-MEM-01}). Immutable, safe for any thread.
 */
public final class Memory {
  private final long address;
  private final long size;
  private final PointerType type;
  private final @Nullable MemorySegment segment;

  private Memory(long address, long size, PointerType type, @Nullable MemorySegment segment) {
    this.address = address;
    this.size = size;
    this.type = type;
    this.segment = segment;
  }

  /**
   * Describes host memory.
   *
   * @param segment a native segment (not one of the Java heap) that every thread can access, hence
   *     not of a confined arena; read-only is enough for memory that is only sent from
   * @return the description, of type {@link PointerType#HOST}
   * @throws IllegalArgumentException when {@code segment} is not native
   */
  public static Memory ofHost(MemorySegment segment) {
    if (!segment.isNative()) {
      throw new IllegalArgumentException(
          "host memory to register must be a native segment, this is " + segment);
    }
    return new Memory(segment.address(), segment.byteSize(), PointerType.HOST, segment);
  }

  /**
   * Describes memory that the CPU cannot dereference.
   *
   * @param address the device address
   * @param size its size in bytes
   * @param type {@link PointerType#CUDA}, also for what is registered through a dma-buf: {@link
   *     PointerType#DMABUF} is a capability of a device and no kind of memory
   * @return the description
   * @throws IllegalArgumentException for another type, a negative size or an address range that
   *     wraps
   */
  public static Memory ofDevice(long address, long size, PointerType type) {
    if (Objects.requireNonNull(type, "type") == PointerType.HOST) {
      throw new IllegalArgumentException("host memory is described by its segment: use ofHost");
    }
    if (type == PointerType.DMABUF) {
      throw new IllegalArgumentException(
          "DMABUF says what a device can do; memory exported as a dma-buf is of type CUDA");
    }
    if (size < 0) {
      throw new IllegalArgumentException("size of device memory is negative: " + size);
    }
    if (Long.compareUnsigned(address + size, address) < 0) {
      throw new IllegalArgumentException(
          "device memory 0x" + Long.toHexString(address) + "+" + size + " wraps around");
    }
    return new Memory(address, size, type, null);
  }

  /**
   * Returns the address of the first byte.
   *
   * @return an address of this process or of the device, unsigned
   */
  public long address() {
    return address;
  }

  /**
   * Returns the size.
   *
   * @return the number of bytes, not negative
   */
  public long size() {
    return size;
  }

  /**
   * Returns what kind of memory this is.
   *
   * @return {@link PointerType#HOST} or {@link PointerType#CUDA}
   */
  public PointerType type() {
    return type;
  }

  /**
   * Returns the segment of host memory.
   *
   * @return the very segment that was described, or null for device memory
   */
  public @Nullable MemorySegment segment() {
    return segment;
  }

  @Override
  public String toString() {
    return type + " memory 0x" + Long.toHexString(address) + "+" + size;
  }
}
