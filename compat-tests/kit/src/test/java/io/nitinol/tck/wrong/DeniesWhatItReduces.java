// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;

/** Says that it has no eight-bit integers, and reduces them when asked to. */
@Breaks("COLL-16")
public final class DeniesWhatItReduces extends WrongCollNet {
  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    return dataType != DataType.INT8 && super.reduceSupport(dataType, op);
  }
}
