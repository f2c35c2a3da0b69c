// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

/**
 * What one local kernel does with elements: the six methods of {@link
 * io.nitinol.spi.kernel.v1.ReduceFunction}, whose page explains <i>pre</i> and <i>post</i>. {@code
 * left} is a partial result, {@code right} the other operand.
 */
public enum KernelStep {
  /** {@code pre(right)}: a rank's own contribution, on its way into the network. */
  COPY,
  /** {@code post(pre(right))}: the whole reduction where there is one rank. */
  COPY_FINAL,
  /** {@code left op pre(right)}. */
  REDUCE,
  /** {@code post(left op pre(right))}. */
  REDUCE_FINAL,
  /** {@code left op right}: two partial results. */
  COMBINE,
  /** {@code post(left op right)}. */
  COMBINE_FINAL
}
