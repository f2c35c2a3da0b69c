// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import java.util.Comparator;

/**
 * What was measured: figures of two runs compare where this is the same.
 *
 * @param size bytes of the operation
 * @param type the type's label, such as {@code float}
 * @param redop the operator, or {@code none}
 * @param root the root, or {@code -1} where there is none
 * @param inPlace whether the result replaced the contribution
 */
record PointKey(long size, String type, String redop, String root, boolean inPlace)
    implements Comparable<PointKey> {
  static final String NO_REDOP = "none";
  static final String NO_ROOT = "-1";

  /** Curve by curve, and by size in each. */
  private static final Comparator<PointKey> ORDER =
      Comparator.comparing(PointKey::type)
          .thenComparing(PointKey::redop)
          // Numbers as numbers: -1 before 2, and 2 before 10.
          .thenComparing(key -> !key.root().startsWith("-"))
          .thenComparingInt(key -> key.root().length())
          .thenComparing(PointKey::root)
          .thenComparing(PointKey::inPlace)
          .thenComparingLong(PointKey::size);

  @Override
  public int compareTo(PointKey other) {
    return ORDER.compare(this, other);
  }

  /** Returns what the points of one curve share. */
  PointKey curve() {
    return sized(0);
  }

  /** Returns the same of another size. */
  PointKey sized(long bytes) {
    return new PointKey(bytes, type, redop, root, inPlace);
  }

  String place() {
    return inPlace ? "in" : "out";
  }
}
