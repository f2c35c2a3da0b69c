// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import org.jspecify.annotations.Nullable;

/**
 * What the bridge thread has to do for one operation. In a place of {@link OperationQueue}: the
 * caller's thread writes it, then the bridge thread reads it until it gives the place back.
 */
final class HostOperation {
  /** What is called for each chunk; SEND_RECV for sends and receives. */
  Collective collective = Collective.SEND_RECV;

  /** The number of the first chunk. */
  long first;

  long chunks;

  /** How many chunks have {@link #share} elements; one of {@link #lastShare} may follow. */
  long full;

  long share;
  long lastShare;
  DataType type = DataType.INT8;
  ReductionOp op = ReductionOp.SUM;

  /** The root's number in the rail. */
  int root;

  /** Whether {@link DirectRail} exchanges the chunks, not the host communicator. */
  boolean direct;

  /** The sends and receives that the host communicator does; null for none. */
  @Nullable PairTransfers transfers;

  /** Those that go over the rail's own connections; null for none. */
  @Nullable RailTransfers railTransfers;

  /** Returns whether data go from the root to the others, where there is a root. */
  boolean isFromRoot() {
    return collective == Collective.BROADCAST;
  }

  /** Returns the elements of all chunks together, in the share of this rank's rail. */
  long total() {
    return full * share + (chunks - full) * lastShare;
  }

  long count(long chunk) {
    return chunk < full ? share : lastShare;
  }

  /** Returns the bytes of a chunk, in the share of this rank's rail. */
  long bytes(long chunk) {
    return count(chunk) * type.size();
  }
}
