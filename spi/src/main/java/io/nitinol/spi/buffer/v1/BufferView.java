// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.buffer.v1;

import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The contiguous memory of an object of another library, and what its elements are. */
public sealed interface BufferView {

  /**
   * Returns the type of the elements.
   *
   * @return the type
   */
  DataType type();

  /**
   * Memory that the library itself gives as a segment, or that has a direct buffer of Java.
   *
   * @param memory all of it is elements; native or of the heap. Native memory is used by another
   *     segment, which keeps this one and the object reachable; it does not see that this one is
   *     closed
   * @param type the type of the elements
   */
  record HostSegment(MemorySegment memory, DataType type) implements BufferView {

    /** Checks that both are given. */
    public HostSegment {
      Objects.requireNonNull(memory, "memory");
      Objects.requireNonNull(type, "type");
    }
  }

  /**
   * Native memory of the host, by its address.
   *
   * @param address the first byte
   * @param bytes how many bytes there are, from 0
   * @param type the type of the elements
   * @param readOnly whether it must not be written
   */
  record HostAddress(long address, long bytes, DataType type, boolean readOnly)
      implements BufferView {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException for a negative number of bytes, and for address 0 unless
     *     there are none
     */
    public HostAddress {
      checkAddress(address, bytes, type);
    }
  }

  /**
   * Memory that a device reaches, by its address there.
   *
   * @param address the first byte, as the device sees it, for example a {@code CUdeviceptr}
   * @param bytes how many bytes there are, from 0
   * @param type the type of the elements
   */
  record DeviceAddress(long address, long bytes, DataType type) implements BufferView {

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException for a negative number of bytes, and for address 0 unless
     *     there are none
     */
    public DeviceAddress {
      checkAddress(address, bytes, type);
    }
  }

  private static void checkAddress(long address, long bytes, DataType type) {
    Objects.requireNonNull(type, "type");
    if (bytes < 0 || (address == 0 && bytes > 0)) {
      throw new IllegalArgumentException(
          "has "
              + bytes
              + " bytes at address 0x"
              + Long.toHexString(address)
              + "; expected 0 or more bytes, at an address that is not 0");
    }
  }
}
