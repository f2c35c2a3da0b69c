// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.ib;

import java.util.Locale;

/**
 * What one case took, medians of nanoseconds per message or per half round trip.
 *
 * @param bytes of a message
 * @param pairs queue pairs
 */
record Row(int bytes, int pairs, double ours, double peer) {
  private static final double STREAM_GOAL = 0.9;
  private static final double PING_GOAL = 1 / 1.3;

  /** Returns how fast we are: 1 is as fast, more is faster. */
  double ratio() {
    return peer / ours;
  }

  double goal() {
    return isPing() ? PING_GOAL : STREAM_GOAL;
  }

  /** Returns how far the goal is reached: 1 is just. */
  double part() {
    return ratio() / goal();
  }

  private boolean isPing() {
    return bytes == 8;
  }

  String name() {
    String size =
        isPing() ? "8 B" : bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
    return size + " x " + pairs + " QP";
  }

  /** Returns a row of the table. */
  String text() {
    String unit = isPing() ? "us" : "MB/s";
    return String.format(
        Locale.ROOT,
        "%-14s %10.1f %-4s %10.1f %-4s %8.2f %6.2f",
        name(),
        figure(ours),
        unit,
        figure(peer),
        unit,
        ratio(),
        goal());
  }

  private double figure(double nanos) {
    return isPing() ? nanos / 1e3 : bytes / nanos * 1e3;
  }

  /** Returns the row as a JSON object. */
  String json() {
    return String.format(
        Locale.ROOT,
        "{\"case\": \"%s\", \"bytes\": %d, \"queue_pairs\": %d, \"ours_ns\": %.1f,"
            + " \"peer_ns\": %.1f, \"ratio\": %.4f, \"goal\": %.4f}",
        name(),
        bytes,
        pairs,
        ours,
        peer,
        ratio(),
        goal());
  }
}
