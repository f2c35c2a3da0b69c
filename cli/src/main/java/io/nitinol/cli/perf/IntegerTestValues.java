// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;

/**
 * Sums, products and averages of integers. They wrap around, so any bits do; factors are odd, or
 * else the product of many ranks would be zero, whichever rank is missing.
 */
final class IntegerTestValues extends TestValues {

  IntegerTestValues(DataType type, PerfOperator op, long seed, int nRanks) {
    super(type, op, seed, nRanks);
  }

  @Override
  long value(int position, int rank) {
    long bits = random(position, rank);
    return format.truncate(op == PerfOperator.PROD ? bits | 1 : bits);
  }

  @Override
  long expected(int position) {
    long result = op == PerfOperator.PROD ? 1 : 0;
    for (int rank = 0; rank < nRanks; rank++) {
      long value = value(position, rank);
      if (op == PerfOperator.MULSUM) {
        value *= (long) scalar(format.type(), rank);
      }
      result = op == PerfOperator.PROD ? result * value : result + value;
    }
    if (op == PerfOperator.AVG) {
      long sum = format.integer(result);
      result = format.unsigned() ? Long.divideUnsigned(sum, nRanks) : sum / nRanks;
    }
    return format.truncate(result);
  }
}
