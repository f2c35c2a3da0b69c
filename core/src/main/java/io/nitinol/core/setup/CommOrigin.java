// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * Which call makes a communicator, and out of which other one.
 *
 * @param call NCCL's name of the call, for the log
 * @param details what the log says of the call, a blank before each part; empty where there is
 *     nothing to say
 * @param parent the connections of the group that the new one is made of, or null
 */
public record CommOrigin(String call, String details, @Nullable Bootstrap parent) {
  /** A communicator that is part of no other. */
  static final CommOrigin INIT = new CommOrigin("ncclCommInitRank", "", null);

  /** A communicator of the ranks of one color, in the order of their keys. */
  static CommOrigin split(Bootstrap parent, long number, int color, int key) {
    return new CommOrigin(
        "ncclCommSplit", ErrorText.of("%s color %d key %d", of(number), color, key), parent);
  }

  /** A communicator of all ranks but {@code excluded} of them. */
  static CommOrigin shrink(Bootstrap parent, long number, int excluded) {
    return new CommOrigin(
        "ncclCommShrink", ErrorText.of("%s excluded %d", of(number), excluded), parent);
  }

  /** A communicator with further ranks, which meets as one that is part of no other. */
  static CommOrigin grow(long number) {
    return new CommOrigin("ncclCommGrow", of(number), null);
  }

  private static String of(long number) {
    return ErrorText.of(" parent 0x%x", number);
  }
}
