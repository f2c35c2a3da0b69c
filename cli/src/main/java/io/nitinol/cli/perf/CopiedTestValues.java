// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.spi.DataType;

/**
 * Data that is only moved: random bits, which for floats include NaNs and infinities. They must
 * arrive as sent.
 */
final class CopiedTestValues extends TestValues {

  CopiedTestValues(DataType type, long seed, int nRanks) {
    super(type, PerfOperator.NONE, seed, nRanks);
  }

  @Override
  long value(int position, int rank) {
    return format.truncate(random(position, rank));
  }

  @Override
  long expected(int position) {
    throw new IllegalStateException("nothing is reduced");
  }
}
