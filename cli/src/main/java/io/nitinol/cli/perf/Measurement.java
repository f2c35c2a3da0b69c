// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

/**
 * How long one operation took, and whether its result was right.
 *
 * @param seconds time of one operation, averaged over the iterations and the ranks
 * @param fastest the average of the fastest rank
 * @param slowest the average of the slowest rank
 * @param wrong wrong elements on all ranks together; {@link #UNCHECKED} where nobody looked
 */
record Measurement(double seconds, double fastest, double slowest, long wrong) {
  static final long UNCHECKED = -1;

  /** Returns the bytes of the operation over its time, in 1e9 bytes per second. */
  double algorithmBandwidth(long bytes) {
    return seconds > 0 ? bytes / seconds / 1e9 : 0;
  }
}
