// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.spi.ResultCode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A shrink that is under way, and what becomes of its ranks meanwhile. Safe for any thread. */
final class Shrinking {
  /** A rank that was lost, and why. */
  private record Loss(int rank, String reason) {}

  private final int[] ranks;
  private final SetupAbort setup = new SetupAbort();
  private volatile @Nullable Loss loss;

  /**
   * Creates one.
   *
   * @param ranks those that go on, in ascending order, by their numbers in the old communicator
   */
  Shrinking(int[] ranks) {
    this.ranks = ranks.clone();
  }

  /** Returns what ends the making of the new communicator. */
  SetupAbort setup() {
    return setup;
  }

  /** Takes note that {@code rank} has failed; returns whether it is needed. */
  synchronized boolean lose(int rank, String reason) {
    if (Arrays.binarySearch(ranks, rank) < 0) {
      return false;
    }
    if (loss == null) {
      loss = new Loss(rank, reason);
    }
    return true;
  }

  boolean hasLost() {
    return loss != null;
  }

  /** Returns what to tell whose new communicator could not be made because of {@code cause}. */
  CommException failure(CommException cause) {
    Loss known = loss;
    if (known != null) {
      return new CommException(
          ResultCode.REMOTE_ERROR,
          known.rank(),
          "shrink: rank " + known.rank() + " failed, too: " + known.reason(),
          cause);
    }
    int blamed = cause.failedRank() < 0 ? -1 : ranks[cause.failedRank()];
    return new CommException(
        cause.result(),
        blamed,
        "shrink: "
            + cause.getMessage()
            + (blamed == cause.failedRank()
                ? ""
                : " (rank " + cause.failedRank() + " there is rank " + blamed + " here)"),
        cause);
  }
}
