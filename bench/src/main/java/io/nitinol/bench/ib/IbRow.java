// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.ib;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One case's times, medians of nanoseconds per message or per half round trip.
 *
 * @param bytes of a message
 * @param pairs queue pairs
 * @param peers the first is the one that the goal is about
 */
record IbRow(int bytes, int pairs, double ours, List<Peer> peers) {
  private static final double STREAM_GOAL = 0.9;
  private static final double PING_GOAL = 1 / 1.3;

  /** Somebody else, and what it took. */
  record Peer(String name, double nanos) {}

  /** Returns how fast we are against one of them: 1 is as fast, more is faster. */
  double ratio(Peer peer) {
    return peer.nanos() / ours;
  }

  /** Returns how fast we are against the peer that the goal is about. */
  double ratio() {
    return ratio(peers.getFirst());
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
    return name(bytes, pairs);
  }

  static String name(int bytes, int pairs) {
    String size =
        bytes < 1 << 10
            ? bytes + " B"
            : bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
    return size + " x " + pairs + " QP";
  }

  /** Returns lines of the table: what the goal is about first. */
  String text() {
    List<String> lines = new ArrayList<>();
    for (Peer peer : peers) {
      boolean first = lines.isEmpty();
      lines.add(
          String.format(
              Locale.ROOT,
              "%-14s %10s   %-36s %10.1f %8.2f %6s",
              first ? name() : "",
              first ? String.format(Locale.ROOT, "%.1f", figure(ours)) : "",
              peer.name(),
              figure(peer.nanos()),
              ratio(peer),
              first ? String.format(Locale.ROOT, "%.2f", goal()) : ""));
    }
    return String.join(System.lineSeparator(), lines);
  }

  private double figure(double nanos) {
    return isPing() ? nanos / 1e3 : bytes / nanos * 1e3;
  }

  /** Returns the row as a JSON object. */
  String json() {
    return String.format(
        Locale.ROOT,
        "{\"case\": \"%s\", \"bytes\": %d, \"queue_pairs\": %d, \"ours_ns\": %.1f, \"goal\": %.4f,"
            + " \"peers\": [%s]}",
        name(),
        bytes,
        pairs,
        ours,
        goal(),
        String.join(
            ", ",
            peers.stream()
                .map(peer ->
                    String.format(
                        Locale.ROOT,
                        "{\"name\": \"%s\", \"ns\": %.1f, \"ratio\": %.4f}",
                        peer.name(),
                        peer.nanos(),
                        ratio(peer)))
                .toList()));
  }
}
