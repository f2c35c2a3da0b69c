// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

/**
 * What went on in some seconds of a run.
 *
 * @param begin seconds since the measurement began, by the clock of rank 0
 * @param end likewise
 * @param operations how many there were
 * @param row the time of one of them, and how the times of all ranks are spread
 * @param total whether it is the whole run
 */
record IntervalFigures(double begin, double end, long operations, PerfRow row, boolean total) {
  /** Returns the same without the times of single operations, which take much memory. */
  IntervalFigures withoutTimes() {
    return new IntervalFigures(begin, end, operations, row.withoutTimes(), total);
  }
}
