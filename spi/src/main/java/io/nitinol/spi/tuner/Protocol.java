// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.tuner;

/**
 * The way in which data and its arrival are signalled; {@code NCCL_PROTO} takes these names, in any
 * case.
 */
public enum Protocol {
  /** Flags in line with the data: lowest latency, for small messages in shared memory. */
  LL,
  /** NCCL's protocol of 128-byte lines, known by name and not offered. */
  LL128,
  /** Bulk data and separate counters: highest bandwidth. */
  SIMPLE
}
