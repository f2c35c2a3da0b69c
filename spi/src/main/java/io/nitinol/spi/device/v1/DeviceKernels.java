// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

/**
 * The local kernels of a device: they copy and reduce buffers that the device reaches, without
 * other ranks. Between hosts a schedule's steps are made of them. Results are those of {@code
 * docs/numerics.md}, bit by bit. Safe for use by many threads, each with a stream of its own.
 */
public interface DeviceKernels {

  /**
   * Returns whether {@link #apply} knows a reduction. The same answer each time, whatever the
   * number of ranks and the scalar are.
   *
   * @param reduction type, operator, and whether contributions are multiplied
   * @return true if it does
   */
  boolean supports(DeviceReduction reduction);

  /**
   * Puts one step of a reduction into a stream. Addresses are divisible by the size of the type,
   * and need no more alignment.
   *
   * @param stream a stream of this device
   * @param reduction what is computed
   * @param step which operands, and what is done before and after
   * @param left the first byte of the partial result; ignored by the two COPY steps
   * @param right the first byte of the other operand
   * @param dst where the result goes: exactly one of the operands, or a range that overlaps neither
   * @param count the number of elements; 0 does nothing
   * @throws DeviceException with UNSUPPORTED where {@link #supports} is false; with
   *     INVALID_ARGUMENT for a negative count or a stream of another device
   */
  void apply(
      DeviceStream stream,
      DeviceReduction reduction,
      KernelStep step,
      long left,
      long right,
      long dst,
      long count);

  /**
   * Puts a copy of bytes by a kernel into a stream, where {@link DeviceStream#copy} would leave it
   * to a copy engine. Addresses need no alignment.
   *
   * @param stream a stream of this device
   * @param dst where the first byte goes
   * @param src the first byte; the two ranges do not overlap
   * @param size the number of bytes; 0 does nothing
   * @throws DeviceException with INVALID_ARGUMENT for a negative size or a stream of another device
   */
  void copy(DeviceStream stream, long dst, long src, long size);
}
