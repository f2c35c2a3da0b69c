// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that each rank (row) sends to each (column), from a text: numbers with white space between
 * them, a line for each row. It may be larger than the number of ranks.
 */
public final class TrafficMatrix implements PerfTraffic {
  /** So many from each rank to each of a thousand are still a number. */
  private static final double MOST_BYTES = 1L << 50;

  private final long[][] bytes;

  private TrafficMatrix(long[][] bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads a matrix.
   *
   * @param lines empty ones do not count
   * @param scale every number is multiplied by it, then cut down to a multiple of 16
   * @throws IllegalArgumentException when it is not square or has something other than numbers from
   *     0 up; the message says where
   */
  public static TrafficMatrix read(List<String> lines, double scale) {
    List<long[]> rows = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty()) {
        rows.add(row(line.split("\\s+", -1), scale, i + 1));
      }
    }
    for (long[] row : rows) {
      if (row.length != rows.size()) {
        throw new IllegalArgumentException(
            rows.size() + " rows, and one of " + row.length + " columns: expected as many of both");
      }
    }
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("no rows");
    }
    return new TrafficMatrix(rows.toArray(long[][]::new));
  }

  private static long[] row(String[] words, double scale, int line) {
    long[] row = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      double value;
      try {
        value = Double.parseDouble(words[i]);
      } catch (NumberFormatException e) {
        value = Double.NaN;
      }
      if (!(value >= 0 && value * scale <= MOST_BYTES)) {
        throw new IllegalArgumentException(
            "line " + line + ": '" + words[i] + "': expected a number of bytes");
      }
      row[i] = Blocks.aligned(value * scale);
    }
    return row;
  }

  /** Returns for how many ranks there are numbers. */
  public int ranks() {
    return bytes.length;
  }

  @Override
  public long elements(PerfJob job, int from, int to) {
    return bytes[from][to] / job.type().size();
  }

  @Override
  public boolean isFixed() {
    return true;
  }
}
