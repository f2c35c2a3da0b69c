// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.torch;

/**
 * What sums of gradients took.
 *
 * @param nanos for how long sums were under way, in nanoseconds; the wait for ranks that are later
 *     is part of it. A sum's end is seen when the next one starts, so it is an upper bound
 * @param waited the part of it in which the rank did nothing but wait; the rest was hidden behind
 *     the backward pass
 */
record SumTime(long nanos, long waited) {
  SumTime since(SumTime earlier) {
    return new SumTime(nanos - earlier.nanos, waited - earlier.waited);
  }

  /** Returns the share of the time that was hidden, from 0 to 1; 1 where there was none. */
  double hidden() {
    return nanos == 0 ? 1 : Math.max(0, 1 - (double) waited / nanos);
  }
}
