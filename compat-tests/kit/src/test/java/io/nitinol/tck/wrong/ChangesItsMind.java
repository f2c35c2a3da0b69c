// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.util.concurrent.atomic.AtomicInteger;

/** Supports halves every other time that it is asked. */
@Breaks(value = "COLL-07", also = "COLL-16")
public final class ChangesItsMind extends WrongCollNet {
  private final AtomicInteger asked = new AtomicInteger();

  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    return (dataType != DataType.FLOAT16 || asked.getAndIncrement() % 2 == 0)
        && super.reduceSupport(dataType, op);
  }
}
