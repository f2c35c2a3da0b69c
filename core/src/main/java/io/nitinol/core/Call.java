// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.progress.CollectiveCall;
import io.nitinol.spi.Collective;
import java.util.List;

/** What was called in a group, and waits for its end. */
sealed interface Call {
  /** Returns the communicator's part that submits it. */
  Calls calls();

  /** Returns what the caller holds. */
  GroupedWork work();

  /** A collective whose arguments are right. */
  record Whole(Calls calls, GroupedWork work, CollectiveCall call) implements Call {

    /** Returns whether this may be done together with others like it; the same on all ranks. */
    boolean isSmallAllReduce() {
      return call.collective() == Collective.ALL_REDUCE
          && call.op() != CollectiveCall.PRE_MUL_SUM // ranks need not make equally many of them
          && call.bytes() <= Aggregate.MAX_PART_BYTES;
    }

    boolean isLike(Whole other) {
      return call.type() == other.call.type() && call.op() == other.call.op();
    }
  }

  /** Sends and receives whose arguments are right. */
  record Messages(Calls calls, GroupedWork work, List<TransferBatch.Piece> pieces)
      implements Call {}

  /** A call with a wrong argument. */
  record Mistake(Calls calls, GroupedWork work, CommException error) implements Call {}
}
