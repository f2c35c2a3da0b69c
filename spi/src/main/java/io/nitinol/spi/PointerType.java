// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

/**
 * The kind of memory that an address points to; mirrors {@code NCCL_PTR_*}, bits of the mask {@code
 * ptrSupport} in a device's properties.
 */
public enum PointerType {
  /** Memory of the host, readable by the CPU. */
  HOST(0x1),
  /** Memory of a CUDA device; the CPU must not dereference it. */
  CUDA(0x2),
  /**
   * A capability, not a kind of memory: the device can register memory through a dma-buf file
   * descriptor ({@code regMrDmaBuf}, version 6 and later).
   */
  DMABUF(0x4);

  private final int mask;

  PointerType(int mask) {
    this.mask = mask;
  }

  /** {@return the bit of this type in a {@code ptrSupport} mask} */
  public int mask() {
    return mask;
  }

  /**
   * Returns whether {@code ptrSupport} has the bit of this type.
   *
   * @param ptrSupport a device's mask
   * @return true if it has
   */
  public boolean in(int ptrSupport) {
    return (ptrSupport & mask) != 0;
  }
}
