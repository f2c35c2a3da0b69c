// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.spi.Collective;
import java.util.List;

/** A call that was made in a group and waits for the group's end. */
sealed interface Call {
  /** Returns the calls of the communicator that it was made of. */
  Calls calls();

  /** Returns the handle that the caller's work asks for the operation that this becomes. */
  GroupedCall handle();

  /** A collective whose arguments are right. */
  record OfCollective(Calls calls, GroupedCall handle, CollectiveCall call) implements Call {

    /** Returns whether this may be done together with others like it; the same on all ranks. */
    boolean isSmallAllReduce() {
      return call.collective() == Collective.ALL_REDUCE
          && call.op() != CollectiveCall.PRE_MUL_SUM // ranks need not make equally many of them
          && call.op() != CollectiveCall.OF_APPLICATION // two of them may differ
          && call.bytes() <= Aggregate.MAX_PART_BYTES;
    }

    boolean isLike(OfCollective other) {
      return call.type() == other.call.type() && call.op() == other.call.op();
    }
  }

  /** Sends and receives whose arguments are right. */
  record OfMessages(Calls calls, GroupedCall handle, List<TransferBatch.Piece> pieces)
      implements Call {}

  /** A call with a wrong argument. */
  record OfMistake(Calls calls, GroupedCall handle, CommException error) implements Call {}
}
