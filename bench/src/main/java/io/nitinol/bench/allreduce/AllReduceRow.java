// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.ByteSizes;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The samples of one size, in nanoseconds per all-reduce.
 *
 * @param scenario the case
 * @param bytes the size
 * @param iterations all-reduces in a sample, the same on all sides
 * @param ours our samples
 * @param theirs the samples of each peer
 * @param settled whether all sides had stopped to get faster before
 */
record AllReduceRow(
    Scenario scenario,
    long bytes,
    long iterations,
    Samples ours,
    Map<Mpi, Samples> theirs,
    boolean settled) {

  AllReduceRow {
    theirs = theirs.isEmpty() ? Map.of() : new EnumMap<>(theirs);
  }

  private Samples samples(Mpi peer) {
    return theirs.getOrDefault(peer, ours);
  }

  /** Returns which part of the peer's time ours is, by medians. */
  double ratio(Mpi peer) {
    return ours.median() / samples(peer).median();
  }

  private double leastRatio(Mpi peer) {
    return ours.least() / samples(peer).least();
  }

  /** Returns whether the figures mean anything: nothing was still compiling, nobody else busy. */
  boolean isSteady() {
    return settled && ours.isSteady() && theirs.values().stream().allMatch(Samples::isSteady);
  }

  double goal(Mpi peer) {
    return scenario.goal(peer, bytes);
  }

  /** Returns the size as people write it. */
  String size() {
    return ByteSizes.text(bytes);
  }

  /** Returns the line of the table. */
  String text() {
    StringBuilder line = new StringBuilder();
    line.append(String.format(Locale.ROOT, "%10s %8d  %s", size(), iterations, times(ours)));
    if (theirs.isEmpty()) {
      line.append(String.format(Locale.ROOT, "  %8.3f GB/s (algbw)", bytes / ours.median()));
    }
    theirs.forEach((peer, samples) ->
        line.append(
            String.format(
                Locale.ROOT,
                "  %s %6.2f (%5.2f) %s %.2f",
                times(samples),
                ratio(peer),
                leastRatio(peer),
                ratio(peer) <= goal(peer) ? "<=" : "> ",
                goal(peer))));
    return line.append(isSteady() ? "" : "  not steady: not to be believed").toString();
  }

  private static String times(Samples samples) {
    return String.format(
        Locale.ROOT, "%11.2f (%10.2f)", samples.median() / 1e3, samples.least() / 1e3);
  }

  /** Returns the row as a JSON object. */
  String json() {
    StringBuilder json = new StringBuilder();
    json.append(
        String.format(
            Locale.ROOT,
            "{\"case\": \"%s\", \"ranks\": %d, \"bytes\": %d, \"iterations\": %d, \"ours_ns\": %s",
            scenario.name(),
            scenario.ranks(),
            bytes,
            iterations,
            ours.nanos()));
    theirs.forEach((peer, samples) ->
        json.append(
            String.format(
                Locale.ROOT,
                ", \"%s_ns\": %s, \"%s_ratio\": %.4f, \"%s_goal\": %.2f",
                peer.key(),
                samples.nanos(),
                peer.key(),
                ratio(peer),
                peer.key(),
                goal(peer))));
    return json.append(", \"steady\": ").append(isSteady()).append("}").toString();
  }
}
