// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.ScaledSum;
import io.nitinol.spi.DataType;
import io.nitinol.toolkit.thread.AnyThread;
import org.jspecify.annotations.Nullable;

/**
 * A sum whose contributions are multiplied first, each by its own rank's scalar; mirrors what
 * {@code ncclRedOpCreatePreMulSum} makes. Belongs to the communicator that made it, by {@link
 * Communicator#preMulSum(DataType, double)} and the like, and to one element type. It holds no
 * resources, so nothing mirrors {@code ncclRedOpDestroy}.
 */
@AnyThread
public final class PreMulSum {
  private final ScaledSum sum;

  PreMulSum(ScaledSum sum) {
    this.sum = sum;
  }

  /** Returns the element type that it is for. */
  public DataType type() {
    return sum.type();
  }

  static @Nullable ScaledSum sum(@Nullable PreMulSum op) {
    return op == null ? null : op.sum;
  }
}
