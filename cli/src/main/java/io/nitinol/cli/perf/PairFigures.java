// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

/**
 * What one rank's messages to another one take.
 *
 * @param from the rank that sends, and begins a round trip
 * @param to the rank that receives
 * @param latency half the seconds of a round trip of one message each way
 * @param row a message of a window of them, one way
 */
record PairFigures(int from, int to, double latency, PerfRow row) {
  /** Returns the bandwidth of a window, in 1e9 bytes per second. */
  double bandwidth() {
    return row.outOfPlace().algorithmBandwidth(row.bytes());
  }

  String name() {
    return from + " -> " + to;
  }
}
