// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.spi.DataType;
import io.nitinol.spi.kernel.v1.ReduceFunction;

/**
 * A sum whose contributions are multiplied first, each by its own rank's scalar; mirrors what
 * {@code ncclRedOpCreatePreMulSum} makes. Belongs to the communicator that made it, by {@link
 * Communicator#preMulSum(DataType, double)} and the like, and to one element type. It holds no
 * resources, so nothing mirrors {@code ncclRedOpDestroy}. Safe for any thread.
 */
public final class PreMulSum {
  private final Calls owner;
  private final DataType type;
  private final ReduceFunction function;

  PreMulSum(Calls owner, DataType type, ReduceFunction function) {
    this.owner = owner;
    this.type = type;
    this.function = function;
  }

  /** Returns the element type that it is for. */
  public DataType type() {
    return type;
  }

  boolean belongsTo(Calls calls) {
    return owner.equals(calls);
  }

  ReduceFunction function() {
    return function;
  }
}
