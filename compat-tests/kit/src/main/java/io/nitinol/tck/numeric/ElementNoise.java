// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.numeric;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;

/** Makes elements in which every rounding, overflow and special number shows. */
public final class ElementNoise {
  private ElementNoise() {}

  /**
   * Returns elements of a rank: by turns such as round, such as do not, and special ones.
   *
   * @param op the operator whose results must differ; AVG as SUM
   * @param rank the rank, from 0 to 7
   */
  public static byte[] of(DataType type, ReductionOp op, int count, int rank, long seed) {
    byte[] bytes = new byte[count * type.size()];
    MemorySegment memory = MemorySegment.ofArray(bytes);
    ReductionOp as = op == ReductionOp.AVG ? ReductionOp.SUM : op;
    InputSort[] sorts = InputSort.values();
    Contributions[] of = new Contributions[sorts.length];
    for (int i = 0; i < sorts.length; i++) {
      of[i] = new Contributions(sorts[i], type, as, 8, seed);
    }
    for (int i = 0; i < count; i++) {
      long bits = of[i % sorts.length].bits(rank, i);
      KitElements.set(memory, type, (long) i * type.size(), bits);
    }
    return bytes;
  }
}
