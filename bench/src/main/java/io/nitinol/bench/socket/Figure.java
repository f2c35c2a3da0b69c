// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * One case's times on each side, medians.
 *
 * @param name the case
 * @param bytes of a message
 * @param nanos nanoseconds per message, or per half round trip
 * @param iperf bytes per nanosecond of iperf3; NaN for none
 */
record Figure(String name, int bytes, Map<Side, Double> nanos, double iperf) {
  Figure {
    nanos = new EnumMap<>(nanos);
  }

  /** Returns how fast we are compared with a side; 1 is as fast, more is faster. */
  double ratio(Side side) {
    return nanos.getOrDefault(side, Double.NaN) / nanos.getOrDefault(Side.OURS, Double.NaN);
  }

  /** Returns the ratio to reach; 0 for none. */
  double goal(Side side) {
    return switch (side) {
      case C_SPIN -> isPing() ? 1 / 1.1 : 0.95;
      case JUCX -> 1;
      default -> 0;
    };
  }

  boolean isPing() {
    return bytes == 8;
  }

  /** Returns the figure of a side for the table. */
  String text(Side side) {
    Double value = nanos.get(side);
    return value == null
        ? "-"
        : isPing()
            ? String.format(Locale.ROOT, "%.2f us", value / 1e3)
            : String.format(Locale.ROOT, "%.2f GB/s", bytes / value);
  }

  /** Returns the figure as a JSON object. */
  String json() {
    StringBuilder json =
        new StringBuilder(String.format("{\"case\": \"%s\", \"bytes\": %d", name, bytes));
    nanos.forEach((side, value) ->
        json.append(
            String.format(
                Locale.ROOT,
                ", \"%s_ns\": %.1f, \"%s_ratio\": %.4f, \"%s_goal\": %.4f",
                side.key(),
                value,
                side.key(),
                ratio(side),
                side.key(),
                goal(side))));
    if (!Double.isNaN(iperf)) {
      json.append(String.format(Locale.ROOT, ", \"iperf3_gb_per_s\": %.4f", iperf));
    }
    return json.append("}").toString();
  }
}
