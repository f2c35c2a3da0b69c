// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

import org.jspecify.annotations.Nullable;

/** The reduction operators; mirrors {@code ncclRedOp_t}, whose numbers it carries. */
public enum ReductionOp {
  /** Sum. */
  SUM(0, "sum"),
  /** Product. */
  PROD(1, "prod"),
  /** Maximum. */
  MAX(2, "max"),
  /** Minimum. */
  MIN(3, "min"),
  /** Sum divided by the number of ranks. Never shown to a CollNet plugin, which sees SUM. */
  AVG(4, "avg");

  private static final ReductionOp[] VALUES = values();

  private final int code;
  private final String label;

  ReductionOp(int code, String label) {
    this.code = code;
    this.label = label;
  }

  /** {@return the number NCCL gives this operator} */
  public int code() {
    return code;
  }

  /** {@return the name nccl-tests prints and accepts, for example {@code sum}} */
  public String label() {
    return label;
  }

  /**
   * Returns the operator with NCCL's number {@code code}, or null where NCCL defines none.
   *
   * @param code NCCL's number
   * @return the constant, or null
   */
  public static @Nullable ReductionOp ofCode(int code) {
    return code >= 0 && code < VALUES.length ? VALUES[code] : null;
  }
}
