// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A shrink that is under way, and which of its ranks fail meanwhile. */
@AnyThread
final class PendingShrink {
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
  PendingShrink(int[] ranks) {
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

  /** Returns what the shrink throws where its setup has failed because of {@code cause}. */
  CommException failure(CommException cause) {
    Loss known = loss;
    if (known != null) {
      return new CommException(
          ResultCode.REMOTE_ERROR,
          known.rank(),
          ErrorText.of("shrink: rank %d failed, too: %s", known.rank(), known.reason()),
          cause);
    }
    int blamed = cause.failedRank() < 0 ? -1 : ranks[cause.failedRank()];
    return new CommException(
        cause.result(),
        blamed,
        blamed == cause.failedRank()
            ? ErrorText.of("shrink: %s", cause.getMessage())
            : ErrorText.of(
                "shrink: %s (rank %d there is rank %d here)",
                String.valueOf(cause.getMessage()), cause.failedRank(), blamed),
        cause);
  }
}
