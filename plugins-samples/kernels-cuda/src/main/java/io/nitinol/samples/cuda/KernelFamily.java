// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import java.util.List;

/** The kinds of kernels, one source file each; the module's page says when each is used. */
enum KernelFamily {
  /** Within one device. */
  LOCAL("local"),
  /** Few bytes: flags in the data. */
  LL("ll"),
  /** Some more bytes: the same in lines of 128 bytes, for links that carry such a line whole. */
  LL128("ll128"),
  /** The members' buffers where they are, between two meetings. */
  DIRECT("direct"),
  /** Many bytes: round a ring. */
  RING("ring");

  /** The place of {@code nitinol_pair_move} among the entries of {@link #DIRECT} that move. */
  static final int PAIR = 1;

  /** The place of {@code nitinol_ll_pairs} among the entries of {@link #LL} that move. */
  static final int PAIRS = 1;

  /** The place of {@code nitinol_ring_gather} among the entries of {@link #RING} that move. */
  static final int GATHER = 0;

  /** The place of {@code nitinol_ring_broadcast} there. */
  static final int BROADCAST = 1;

  private final String prefix;

  KernelFamily(String prefix) {
    this.prefix = prefix;
  }

  /** {@return the name that modules and entries begin with} */
  String prefix() {
    return prefix;
  }

  /** {@return the entries that have no type} */
  List<String> moves() {
    return switch (this) {
      case LOCAL -> List.of("nitinol_local_copy");
      case LL -> List.of("nitinol_ll_move", "nitinol_ll_pairs");
      case LL128 -> List.of("nitinol_ll128_move");
      case DIRECT -> List.of("nitinol_direct_move", "nitinol_pair_move");
      case RING -> List.of("nitinol_ring_gather", "nitinol_ring_broadcast");
    };
  }
}
