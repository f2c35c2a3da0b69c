// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

import org.jspecify.annotations.Nullable;

/**
 * The operations that ranks do together; mirrors {@code ncclFunc_t}, whose numbers the first eight
 * carry, and adds what NCCL makes of sends and receives.
 */
public enum Collective {
  /** One rank's data goes to all. */
  BROADCAST(0, "broadcast"),
  /** The reduction of all ranks' data goes to one. */
  REDUCE(1, "reduce"),
  /** Every rank's data goes to all. */
  ALL_GATHER(2, "all_gather"),
  /** Of the reduction of all ranks' data each rank gets its share. */
  REDUCE_SCATTER(3, "reduce_scatter"),
  /** The reduction of all ranks' data goes to all. */
  ALL_REDUCE(4, "all_reduce"),
  /** Sends and receives between pairs of ranks, as many as belong together. */
  SEND_RECV(5, "sendrecv"),
  /** One rank's send. */
  SEND(6, "send"),
  /** One rank's receive. */
  RECV(7, "recv"),
  /** Every rank's data goes to all, a part of its own to each. */
  ALL_TO_ALL(8, "alltoall"),
  /** Every rank's data goes to one. */
  GATHER(9, "gather"),
  /** One rank's data goes to all, a part of its own to each. */
  SCATTER(10, "scatter");

  private static final Collective[] VALUES = values();

  private final int code;
  private final String label;

  Collective(int code, String label) {
    this.code = code;
    this.label = label;
  }

  /** {@return the number of this collective} */
  public int code() {
    return code;
  }

  /** {@return nccl-tests' name, for example {@code all_reduce}} */
  public String label() {
    return label;
  }

  /**
   * Returns the collective with the number {@code code}, or null where there is none.
   *
   * @param code a number
   * @return the constant, or null
   */
  public static @Nullable Collective ofCode(int code) {
    return code >= 0 && code < VALUES.length ? VALUES[code] : null;
  }
}
