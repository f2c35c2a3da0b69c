// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;

/**
 * Minima and maxima. At each position one rank, chosen at random, has the extreme, which is itself
 * random: were all values random, the extremes of many ranks would all be alike. One extreme in
 * eight is the least or the greatest of the type, of floats an infinity where there is one. There
 * are no NaNs.
 */
final class OrderedTestValues extends TestValues {

  private final int unusedBits;

  OrderedTestValues(DataType type, PerfOperator op, long seed, int nRanks) {
    super(type, op, seed, nRanks);
    this.unusedBits = Long.SIZE - Byte.SIZE * type.size();
  }

  @Override
  long value(int position, int rank) {
    long top = top(position);
    boolean hasTop = rank == below(nRanks, mix(random(position)));
    return element(hasTop ? top : below(top, random(position, rank)));
  }

  @Override
  long expected(int position) {
    return element(top(position));
  }

  /** The greatest key at a position, in the upper bits. */
  private long top(int position) {
    long random = random(position);
    return switch ((int) (random & 15)) {
      case 0 -> 0;
      case 1 -> -1;
      default -> random;
    };
  }

  private long element(long key) {
    return format.ofKey((op == PerfOperator.MIN ? ~key : key) >>> unusedBits);
  }
}
