// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.numeric;

/** The sort of numbers that members contribute. */
public enum InputSort {
  /** Numbers for which no order of operations rounds: there is one right result. */
  EXACT,
  /** Numbers for which operations round, each order in its own way. */
  ROUNDED,
  /** NaNs, infinities, zeroes of both signs, the largest and the smallest. */
  SPECIAL
}
