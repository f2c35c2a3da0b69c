// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.allreduce;

import io.nitinol.bench.ByteSizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one size in one case, in nanoseconds per all-reduce.
 *
 * @param scenario the case
 * @param processors how many processors the ranks share
 * @param bytes the size
 * @param iterations all-reduces in a sample of ours
 * @param times what each side took, ours first
 * @param settled whether all sides had stopped to get faster before
 */
record ManyCoresRow(
    Scenario scenario,
    int processors,
    long bytes,
    long iterations,
    List<Time> times,
    boolean settled) {
  private static final long LARGE = 16L << 20;
  private static final long MIDDLE = 1L << 20;
  private static final int ROOMY = 4;

  /** What a side took. */
  record Time(ManyCoresSides.Side side, Samples samples) {}

  /** A ratio that the issue of the machine's owner sets a goal for. */
  record Ratio(String what, double ratio, double goal) {
    double part() {
      return ratio / goal;
    }
  }

  ManyCoresRow {
    times = List.copyOf(times);
  }

  private double ours() {
    return times.getFirst().samples().median();
  }

  String size() {
    return ByteSizes.text(bytes);
  }

  /** What the limit and a roomy host's goals are compared with: buffers that all ranks see. */
  private double allocated() {
    for (Time each : times) {
      if (each.side().kind() == ManyCoresSides.Kind.ALLOCATED) {
        return each.samples().median();
      }
    }
    return ours();
  }

  /** Returns our time that a side is compared with. */
  private double against(ManyCoresSides.Side side) {
    return side.kind() == ManyCoresSides.Kind.LIMIT ? allocated() : ours();
  }

  /** Returns the ratios, each to its goal. */
  List<Ratio> ratios() {
    List<Ratio> ratios = new ArrayList<>();
    Time best = best();
    if (best != null) {
      ratios.add(new Ratio(best.side().name(), ours() / best.samples().median(), 1.1));
    }
    int threads = 1;
    for (Time each : times) {
      threads = Math.max(threads, each.side().threads());
    }
    for (Time each : times) {
      ManyCoresSides.Side side = each.side();
      double ratio = against(side) / each.samples().median();
      if (side.kind() == ManyCoresSides.Kind.PEER) {
        ratios.add(new Ratio(side.name(), ratio, peerGoal(side.name())));
      } else if (side.kind() == ManyCoresSides.Kind.LIMIT
          && side.threads() == threads
          && isRoomy()) {
        ratios.add(new Ratio(side.name(), ratio, 1.5));
      }
    }
    return ratios;
  }

  /** Returns whether the figures mean anything: nothing was still compiling, nobody else busy. */
  boolean isSteady() {
    return settled
        && times.stream()
            .filter(each -> each.side().kind() != ManyCoresSides.Kind.SETTING)
            .allMatch(each -> each.samples().isSteady());
  }

  private boolean isRoomy() {
    return bytes >= LARGE && processors >= ROOMY * scenario.ranks() && scenario.ranks() >= 4;
  }

  private double peerGoal(String name) {
    if (scenario.path() == Scenario.Path.TCP) {
      return scenario.ranks() <= processors ? 0.8 : 1.0;
    }
    if (!name.equals(Mpi.OPEN_MPI.label())) {
      return 1.0;
    }
    return isRoomy() ? 0.2 : bytes >= MIDDLE && scenario.ranks() <= processors ? 0.5 : 1.0;
  }

  private @Nullable Time best() {
    Time best = null;
    for (Time each : times) {
      if (each.side().kind() == ManyCoresSides.Kind.SETTING
          && (best == null || each.samples().median() < best.samples().median())) {
        best = each;
      }
    }
    return best;
  }

  /** Returns the head of the table. */
  String head() {
    StringBuilder line =
        new StringBuilder(String.format(Locale.ROOT, "%8s %7s %12s", "size", "calls", "ours us"));
    for (Time each : times) {
      if (isShown(each)) {
        line.append(String.format(Locale.ROOT, "  %12s %6s", each.side().name() + " us", "ratio"));
      }
    }
    if (best() != null) {
      line.append(String.format(Locale.ROOT, "  %12s %-12s %6s", "best us", "setting", "ratio"));
    }
    return line.toString();
  }

  private static boolean isShown(Time each) {
    return each.side().kind() != ManyCoresSides.Kind.OURS
        && each.side().kind() != ManyCoresSides.Kind.SETTING;
  }

  /** Returns the line of the table; a ratio that misses its goal has an exclamation mark. */
  String text() {
    List<Ratio> ratios = ratios();
    StringBuilder line =
        new StringBuilder(
            String.format(Locale.ROOT, "%8s %7d %12.2f", size(), iterations, ours() / 1e3));
    for (Time each : times) {
      if (isShown(each)) {
        double theirs = each.samples().median();
        line.append(
            String.format(
                Locale.ROOT,
                "  %12.2f %5.2f%s",
                theirs / 1e3,
                against(each.side()) / theirs,
                mark(ratios, each.side().name())));
      }
    }
    Time best = best();
    if (best != null) {
      double theirs = best.samples().median();
      line.append(
          String.format(
              Locale.ROOT,
              "  %12.2f %-12s %5.2f%s",
              theirs / 1e3,
              best.side().name(),
              ours() / theirs,
              mark(ratios, best.side().name())));
    }
    return line.append(isSteady() ? "" : " not steady").toString();
  }

  private static String mark(List<Ratio> ratios, String what) {
    return ratios.stream().anyMatch(each -> each.what().equals(what) && each.part() > 1)
        ? "!"
        : " ";
  }

  /** Returns the row as a JSON object. */
  String json() {
    List<String> all = new ArrayList<>();
    for (Time each : times) {
      all.add(String.format(Locale.ROOT, "\"%s\": %s", each.side().name(), each.samples().nanos()));
    }
    return String.format(
        Locale.ROOT,
        "{\"case\": \"%s\", \"ranks\": %d, \"processors\": %d, \"bytes\": %d, \"iterations\": %d,"
            + " \"ns\": {%s}}",
        scenario.name(),
        scenario.ranks(),
        processors,
        bytes,
        iterations,
        String.join(", ", all));
  }
}
