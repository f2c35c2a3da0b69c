// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether the footprints of a process stay the same, and, where they do not, which of their parts
 * have grown.
 */
final class SoakVerdict {
  /**
   * A figure that must not grow.
   *
   * @param spare what it may grow by in any case: KiB, or how many
   */
  private record Judged(String figure, String unit, long spare) {}

  /**
   * The spare is less than what a leak of a few hundred bytes for each of the communicators of an
   * hour comes to. Resident memory has more of it: a page stays as long as anything in it.
   */
  private static final List<Judged> JUDGED =
      List.of(
          new Judged(Footprint.RESIDENT_OF_RANKS, "KiB", 8192),
          new Judged(Footprint.HEAP, "KiB", 2048),
          new Judged(Footprint.NATIVE_OF_RANKS, "KiB", 1024),
          new Judged(Footprint.DESCRIPTORS, "", 2),
          new Judged(Footprint.THREADS, "", 2));

  /** What explains a growth, by the beginning of the names. */
  private static final List<String> PARTS = List.of(Footprint.NMT, "rss.", "fd.", "thread.");

  private static final int MOST_PARTS = 6;
  private static final double MIB = 1024;

  private final String name;
  private final List<String> lines = new ArrayList<>();
  private boolean flat = true;

  /** Judges the footprints of a process, in the order of time. */
  SoakVerdict(String name, List<Footprint> footprints) {
    this.name = name;
    if (footprints.size() < Growth.FEWEST) {
      flat = false;
      lines.add("%s: %d footprints are too few to judge".formatted(name, footprints.size()));
      return;
    }
    judge(footprints);
  }

  private void judge(List<Footprint> footprints) {
    Growth communicators = growth(footprints, Footprint.COMMUNICATORS);
    lines.add(
        "%s: %d footprints; after the first quarter, medians of thirds with %d communicators between"
            .formatted(name, footprints.size(), communicators.total()));
    lines.add(
        String.format(
            Locale.ROOT,
            "  %-18s %4s %10s %10s %10s %8s %19s",
            "",
            "",
            "early",
            "middle",
            "late",
            "grown",
            "bytes a communicator"));
    for (Judged judged : JUDGED) {
      Growth growth = growth(footprints, judged.figure);
      boolean leak = growth.isLeak(judged.spare);
      flat &= !leak;
      String each =
          judged.unit.isEmpty() || communicators.total() <= 0
              ? ""
              : String.format(Locale.ROOT, "%.1f", growth.total() * 1024.0 / communicators.total());
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-18s %4s %10d %10d %10d %+8d %19s%s",
              judged.figure,
              judged.unit,
              growth.early(),
              growth.middle(),
              growth.late(),
              growth.total(),
              each,
              leak ? "  GREW" : ""));
    }
    for (String part : PARTS) {
      explain(footprints, part);
    }
  }

  private static Growth growth(List<Footprint> footprints, String figure) {
    return Growth.of(footprints.stream().map(each -> each.of(figure)).toList());
  }

  /** Names those of the figures that begin with {@code part} that have grown most. */
  private void explain(List<Footprint> footprints, String part) {
    TreeSet<String> names = new TreeSet<>();
    footprints.forEach(each -> names.addAll(each.figures().keySet()));
    Map<String, Long> grown = new TreeMap<>();
    for (String each : names) {
      long total = each.startsWith(part) ? growth(footprints, each).total() : 0;
      if (total > 0) {
        grown.put(each, total);
      }
    }
    List<String> most =
        grown.entrySet().stream()
            .sorted(Comparator.comparingLong(each -> -each.getValue()))
            .limit(MOST_PARTS)
            .map(each -> "%s %+d".formatted(each.getKey(), each.getValue()))
            .toList();
    if (!most.isEmpty()) {
      lines.add("  grown: " + String.join(", ", most));
    }
  }

  /** Returns whether nothing grew. */
  boolean isFlat() {
    return flat;
  }

  /** Returns the figures that were judged and the parts that have grown, to be printed. */
  List<String> lines() {
    return lines;
  }

  /** Returns the names of what {@link #row} has. */
  static String header() {
    return String.format(
        Locale.ROOT,
        "%-12s %7s %8s %8s %8s %8s %8s %6s %7s %13s %8s",
        "process",
        "minute",
        "RSS MiB",
        "of ranks",
        "heap",
        "NMT",
        "of ranks",
        "fds",
        "threads",
        "communicators",
        "passes");
  }

  /** Returns a footprint as a row of the table. */
  static String row(String name, Footprint footprint) {
    return String.format(
        Locale.ROOT,
        "%-12s %7.2f %8.1f %8.1f %8.1f %8.1f %8.1f %6d %7d %13d %8d",
        name,
        footprint.minute(),
        footprint.of(Footprint.RESIDENT) / MIB,
        footprint.of(Footprint.RESIDENT_OF_RANKS) / MIB,
        footprint.of(Footprint.HEAP) / MIB,
        footprint.of(Footprint.NATIVE) / MIB,
        footprint.of(Footprint.NATIVE_OF_RANKS) / MIB,
        footprint.of(Footprint.DESCRIPTORS),
        footprint.of(Footprint.THREADS),
        footprint.of(Footprint.COMMUNICATORS),
        footprint.of(Footprint.PASSES));
  }
}
