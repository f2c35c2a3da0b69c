// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;

/**
 * Sums, products and averages of integers. They wrap around, so any bits do; factors are odd, or
 * else the product of many ranks would be zero whoever is missing.
 */
final class IntegerTestValues extends TestValues {

  IntegerTestValues(DataType type, ReductionOp op, long seed, int nRanks) {
    super(type, op, seed, nRanks);
  }

  @Override
  long value(int position, int rank) {
    long bits = random(position, rank);
    return format.truncate(op == ReductionOp.PROD ? bits | 1 : bits);
  }

  @Override
  long expected(int position) {
    long result = value(position, 0);
    for (int rank = 1; rank < nRanks; rank++) {
      long value = value(position, rank);
      result = op == ReductionOp.PROD ? result * value : result + value;
    }
    if (op == ReductionOp.AVG) {
      long sum = format.integer(result);
      result = format.unsigned() ? Long.divideUnsigned(sum, nRanks) : sum / nRanks;
    }
    return format.truncate(result);
  }
}
