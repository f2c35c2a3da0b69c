// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

import io.nitinol.spi.PointerType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A piece of memory to be registered: its address, size and kind. Host memory also carries the
 * segment it can be read through; device memory has none, since the CPU cannot dereference it. The
 * caller owns the memory and keeps it alive until the registration is undone.
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
   * @param segment a native segment (not one of the Java heap), accessible from every thread that
   *     will drive the connection
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
   * @param type {@link PointerType#CUDA} or {@link PointerType#DMABUF}
   * @throws IllegalArgumentException for {@link PointerType#HOST} or a negative size
   */
  public static Memory ofDevice(long address, long size, PointerType type) {
    if (type == PointerType.HOST) {
      throw new IllegalArgumentException("host memory is described by its segment: use ofHost");
    }
    if (size < 0) {
      throw new IllegalArgumentException("size of device memory is negative: " + size);
    }
    return new Memory(address, size, Objects.requireNonNull(type, "type"), null);
  }

  /** Returns the address of the first byte. */
  public long address() {
    return address;
  }

  /** Returns the size in bytes. */
  public long size() {
    return size;
  }

  /** Returns what kind of memory this is. */
  public PointerType type() {
    return type;
  }

  /** Returns the segment of host memory, or null for device memory. */
  public @Nullable MemorySegment segment() {
    return segment;
  }

  @Override
  public String toString() {
    return type + " memory 0x" + Long.toHexString(address) + "+" + size;
  }
}
