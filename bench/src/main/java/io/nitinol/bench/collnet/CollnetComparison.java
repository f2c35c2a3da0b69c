// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.collnet;

import io.nitinol.bench.Median;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A case's result.
 *
 * @param name the case
 * @param bytes the size of the all-reduce, N
 * @param ring what the ring took
 * @param collnet what reduction in the network took
 */
record CollnetComparison(String name, long bytes, Side ring, Side collnet) {
  static final double SENT_GOAL = 1.05;
  static final double TIME_GOAL = 0.65;

  /**
   * One way to reduce.
   *
   * @param sent bytes that a host sends for each byte reduced, the most of all hosts
   * @param frames the same with the headers of all frames
   * @param nanos nanoseconds per all-reduce of the slowest rank, in each round
   */
  record Side(double sent, double frames, List<Double> nanos) {
    Side {
      nanos = List.copyOf(nanos);
    }

    double median() {
      return Median.of(nanos);
    }
  }

  /** A figure that is to be at most its goal. */
  record Figure(String name, double value, double goal) {
    /** Returns how far it is from the goal: 1 is just there, more is too much. */
    double strain() {
      return value / goal;
    }
  }

  /** Returns the time of reduction in the network over the ring's. */
  double timeRatio() {
    return collnet.median() / ring.median();
  }

  List<Figure> figures() {
    return List.of(
        new Figure(name + ", bytes sent per host / N", collnet.sent(), SENT_GOAL),
        new Figure(name + ", time of the ring's", timeRatio(), TIME_GOAL));
  }

  /** Returns human-readable lines. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(line("ring", ring, ""));
    lines.add(
        line(
            "collnet", collnet, String.format(Locale.ROOT, "%10.3f%7.2f", timeRatio(), TIME_GOAL)));
    return lines;
  }

  private String line(String way, Side side, String rest) {
    return String.format(
        Locale.ROOT,
        "%-20s%-9s%9.4f%9.4f%9.1f ms%s",
        name,
        way,
        side.sent(),
        side.frames(),
        side.median() / 1e6,
        rest);
  }

  String json() {
    return String.format(
        Locale.ROOT,
        "{\"case\": \"%s\", \"bytes\": %d, \"ring\": %s, \"collnet\": %s, \"timeRatio\": %.4f}",
        name,
        bytes,
        json(ring),
        json(collnet),
        timeRatio());
  }

  private static String json(Side side) {
    return String.format(
        Locale.ROOT,
        "{\"sent\": %.5f, \"frames\": %.5f, \"nanos\": [%s]}",
        side.sent(),
        side.frames(),
        String.join(
            ", ", side.nanos().stream().map(n -> String.format(Locale.ROOT, "%.0f", n)).toList()));
  }
}
