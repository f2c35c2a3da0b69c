// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/** The memory that a tuner reads and writes, the same in all versions that have it. */
public final class TunerLayout {
  /** {@code NCCL_NUM_ALGORITHMS}: the rows of {@code collCostTable}. */
  public static final int ALGORITHMS = 7;

  /** {@code NCCL_NUM_PROTOCOLS}: the columns of {@code collCostTable}. */
  public static final int PROTOCOLS = 3;

  /** The size of {@code float collCostTable[NCCL_NUM_ALGORITHMS][NCCL_NUM_PROTOCOLS]}. */
  public static final long COSTS_BYTES = (long) Float.BYTES * ALGORITHMS * PROTOCOLS;

  /** {@code NCCL_ALGO_TREE}. */
  public static final int TREE = 0;

  /** {@code NCCL_ALGO_RING}. */
  public static final int RING = 1;

  /** {@code NCCL_ALGO_COLLNET_DIRECT}. */
  public static final int COLLNET_DIRECT = 2;

  /** {@code NCCL_ALGO_COLLNET_CHAIN}. */
  public static final int COLLNET_CHAIN = 3;

  /** {@code NCCL_ALGO_PROTO_IGNORE}: the cost of what cannot be done. */
  public static final float IGNORE = -1;

  /** {@code NCCL_ALGO_UNDEF} and {@code NCCL_PROTO_UNDEF}. */
  public static final int UNDEF = -1;

  /** {@code int nNvlDomains} in {@code ncclNvlDomainInfo_v5_t}. */
  public static final long DOMAINS = 0;

  /** {@code int minRanksPerNvlDomain} in {@code ncclNvlDomainInfo_v5_t}. */
  public static final long MIN_RANKS_PER_DOMAIN = 4;

  /** {@code int maxRanksPerNvlDomain} in {@code ncclNvlDomainInfo_v5_t}. */
  public static final long MAX_RANKS_PER_DOMAIN = 8;

  /** The size of {@code ncclNvlDomainInfo_v5_t}. */
  public static final long DOMAIN_INFO_BYTES = 12;

  /**
   * The size of {@code ncclTunerConstants_v5_t}: latencies by algorithm and protocol, the same for
   * three kinds of links, and five tables of bandwidths by four GPU generations and three scales,
   * all doubles.
   */
  public static final long CONSTANTS_BYTES =
      (long) Double.BYTES * ((1 + 3) * ALGORITHMS * PROTOCOLS + 5 * 4 * 3);

  private TunerLayout() {}
}
