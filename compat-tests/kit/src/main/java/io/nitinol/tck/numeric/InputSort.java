// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.numeric;

/** Which numbers members contribute. */
public enum InputSort {
  /** Such that no order of operations rounds: there is one right result. */
  EXACT,
  /** Such that operations round, each order in its own way. */
  ROUNDED,
  /** NaNs, infinities, zeroes of both signs, the largest and the smallest. */
  SPECIAL
}
