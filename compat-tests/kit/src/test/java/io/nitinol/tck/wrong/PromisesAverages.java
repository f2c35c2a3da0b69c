// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;

/** Says that it averages. */
@Breaks("COLL-09")
public final class PromisesAverages extends WrongCollNet {
  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    return op == ReductionOp.AVG || super.reduceSupport(dataType, op);
  }
}
