// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.sgd;

/**
 * Numbers as multiples of 2^-40, in a {@code long}. Sums of these are exact, so they have the same
 * bits in whatever order a transport adds, and however a batch is divided among ranks. Each number
 * is rounded once, by less than 2^-40; a sum may reach 2^23.
 */
final class FixedPoint {
  private static final double ONE = 0x1p40;

  private FixedPoint() {}

  static long of(double number) {
    return (long) (number * ONE);
  }

  static double toDouble(long sum) {
    return sum / ONE;
  }
}
