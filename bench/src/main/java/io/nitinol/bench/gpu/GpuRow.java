// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.bench.ByteSizes;
import io.nitinol.bench.Median;
import java.util.List;
import java.util.Locale;

/**
 * What one row of the table has measured.
 *
 * @param where the case
 * @param operation what ran
 * @param bytes of the largest buffer of a rank
 * @param graph whether operations were in graphs
 * @param operations how many one sample has
 * @param nccl NCCL's nanoseconds for an operation, of each round; none where it did not run
 * @param ours ours
 * @param wrong what was wrong in a result; empty for nothing
 */
record GpuRow(
    GpuCase where,
    GpuOperation operation,
    long bytes,
    boolean graph,
    long operations,
    List<Double> nccl,
    List<Double> ours,
    String wrong) {

  GpuRow {
    nccl = List.copyOf(nccl);
    ours = List.copyOf(ours);
  }

  static final String HEAD =
      String.format(
          Locale.ROOT,
          "%14s %9s %6s %7s  %11s %11s %6s  %9s %9s  %s",
          "operation",
          "size",
          "launch",
          "ops",
          "NCCL us",
          "ours us",
          "ratio",
          "busbw",
          "busbw",
          "goal");

  /** Returns NCCL's time divided by ours; over 1 ours is faster. */
  double ratio() {
    return nccl.isEmpty() ? 0 : Median.of(nccl) / Median.of(ours);
  }

  double goal() {
    return nccl.isEmpty() ? 0 : GpuGoals.of(where, operation, bytes, graph);
  }

  /** Returns how far the goal is exceeded; below 1 it is missed. */
  double margin() {
    return ratio() / goal();
  }

  /** Returns the row's name in the last line. */
  String name() {
    return "%s of %s, %s, %s"
        .formatted(operation.label(), ByteSizes.text(bytes), graph ? "graph" : "plain", where);
  }

  private double busBandwidth(List<Double> nanos) {
    return bytes * operation.busFactor(where.ranks()) / Median.of(nanos);
  }

  private static String number(boolean there, String format, double value) {
    return there ? String.format(Locale.ROOT, format, value) : "-";
  }

  /** Returns the line of the table. */
  String text() {
    boolean both = !nccl.isEmpty();
    double goal = goal();
    return String.format(
        Locale.ROOT,
        "%14s %9s %6s %7d  %11s %11.2f %6s  %9s %9.2f  %s%s",
        operation.label(),
        ByteSizes.text(bytes),
        graph ? "graph" : "plain",
        operations,
        number(both, "%.2f", both ? Median.of(nccl) / 1e3 : 0),
        Median.of(ours) / 1e3,
        number(both, "%.2f", ratio()),
        number(both, "%.2f", both ? busBandwidth(nccl) : 0),
        busBandwidth(ours),
        goal == 0
            ? "-"
            : String.format(Locale.ROOT, "%s %.2f", ratio() >= goal ? ">=" : "< ", goal),
        wrong.isEmpty() ? "" : "  WRONG: " + wrong);
  }

  /** Returns the row as a JSON object. */
  String json() {
    return String.format(
        Locale.ROOT,
        "{\"ranks\": %d, \"mode\": \"%s\", \"shared\": %s, \"operation\": \"%s\", \"bytes\": %d,"
            + " \"graph\": %s, \"operations\": %d, \"nccl_ns\": %s, \"ours_ns\": %s,"
            + " \"ratio\": %.4f, \"goal\": %.2f, \"wrong\": \"%s\"}",
        where.ranks(),
        where.mode().label(),
        where.shared(),
        operation.label(),
        bytes,
        graph,
        operations,
        nccl,
        ours,
        ratio(),
        goal(),
        wrong.replace("\\", "\\\\").replace("\"", "\\\""));
  }
}
