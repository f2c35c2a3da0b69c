// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;

/**
 * The type and the operator of a reduction.
 *
 * @param type the type of the elements
 * @param op the operator
 */
public record TypeAndOp(DataType type, ReductionOp op) {

  /** Returns how many bytes this many elements have. */
  public long bytes(long count) {
    return count * type.size();
  }

  @Override
  public String toString() {
    return op + " of " + type;
  }
}
