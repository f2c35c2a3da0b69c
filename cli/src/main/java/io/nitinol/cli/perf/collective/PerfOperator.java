// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.spi.ReductionOp;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operator that combines elements, as nccl-tests' redop column names it. */
public enum PerfOperator {
  /** Sum. */
  SUM(ReductionOp.SUM),
  /** Product. */
  PROD(ReductionOp.PROD),
  /** Maximum. */
  MAX(ReductionOp.MAX),
  /** Minimum. */
  MIN(ReductionOp.MIN),
  /** Sum divided by the number of ranks. */
  AVG(ReductionOp.AVG),
  /** Sum of what each rank has multiplied by a scalar of its own. */
  MULSUM("mulsum", null),
  /** Nothing is combined. */
  NONE("none", null);

  private static final List<PerfOperator> REDUCING =
      Arrays.stream(values()).filter(operator -> operator != NONE).toList();

  private final String label;
  private final @Nullable ReductionOp reduction;

  PerfOperator(ReductionOp reduction) {
    this(reduction.label(), reduction);
  }

  PerfOperator(String label, @Nullable ReductionOp reduction) {
    this.label = label;
    this.reduction = reduction;
  }

  /** Returns all but {@link #NONE}, in nccl-tests' order. */
  public static List<PerfOperator> reducing() {
    return REDUCING;
  }

  /** Returns nccl-tests' name. */
  public String label() {
    return label;
  }

  /** Returns the operator that has a number, or null for {@link #MULSUM} and {@link #NONE}. */
  public @Nullable ReductionOp reduction() {
    return reduction;
  }
}
