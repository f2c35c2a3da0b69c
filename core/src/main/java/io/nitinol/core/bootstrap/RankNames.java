// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import java.util.BitSet;

/** Writes lists of ranks for messages. */
final class RankNames {
  private static final int MAX_RUNS = 20;

  private RankNames() {}

  /** Returns {@code rank 3} or {@code ranks 1, 4-7}, at most twenty runs of them. */
  static String of(BitSet ranks) {
    StringBuilder text = new StringBuilder(ranks.cardinality() == 1 ? "rank " : "ranks ");
    int runs = 0;
    for (int from = ranks.nextSetBit(0); from >= 0; ) {
      int end = ranks.nextClearBit(from);
      text.append(runs == 0 ? "" : ", ");
      if (runs == MAX_RUNS) {
        return text.append("...").toString();
      }
      text.append(from);
      if (end - from > 1) {
        text.append(end - from == 2 ? ", " : "-").append(end - 1);
      }
      runs++;
      from = ranks.nextSetBit(end);
    }
    return text.toString();
  }
}
