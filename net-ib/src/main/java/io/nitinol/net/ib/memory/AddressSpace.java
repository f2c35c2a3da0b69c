// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.memory;

import io.nitinol.spi.PointerType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The space that an address belongs to. Equal addresses of equal spaces are the same memory, as
 * long as it is kept from being freed.
 */
sealed interface AddressSpace {
  /** The addresses of this process. */
  AddressSpace PROCESS = new Addresses("process");

  /**
   * The addresses of devices, which are all different ones: CUDA's, and all that stand for them.
   * Two exports of the same memory are two dma-bufs, so it is the address that has to be looked at.
   */
  AddressSpace DEVICES = new Addresses("devices");

  /**
   * Returns the space of memory that a dma-buf exports. The descriptor does not identify it: it may
   * be closed, and stand for another dma-buf in the next call.
   *
   * @param type what kind of memory it is
   * @param fd the dma-buf's descriptor
   * @param offset where the memory begins in it
   * @param address by what address its first byte is known
   */
  static AddressSpace ofDmaBuf(PointerType type, int fd, long offset, long address) {
    if (type == PointerType.CUDA) {
      return DEVICES;
    }
    try {
      Path file = Path.of("/proc/self/fd/" + fd);
      Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
      return key == null ? new Unknown() : new DmaBuf(key, offset - address);
    } catch (IOException e) {
      return new Unknown();
    }
  }

  /**
   * Addresses that mean the same wherever they come from.
   *
   * @param whose whose they are
   */
  record Addresses(String whose) implements AddressSpace {}

  /**
   * A dma-buf, which cannot end while it is registered.
   *
   * @param file what tells it from other files
   * @param shift what is added to an address for the place in the dma-buf
   */
  record DmaBuf(Object file, long shift) implements AddressSpace {}

  /** Equal to nothing else. */
  final class Unknown implements AddressSpace {}
}
