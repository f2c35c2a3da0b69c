// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was called in a group, and waits for its end. */
sealed interface Call {
  /** Returns the communicator's part that submits it. */
  Calls calls();

  /** Returns what the caller holds. */
  GroupedWork work();

  /** A collective whose arguments are right; the parameters are those of {@link Submitter}. */
  record Whole(
      Calls calls,
      GroupedWork work,
      Collective collective,
      MemorySegment input,
      MemorySegment output,
      long count,
      DataType type,
      int op,
      @Nullable ReduceFunction function,
      int root)
      implements Call {

    long bytes() {
      return count * type.size();
    }

    /** Returns whether this may be done together with others like it; the same on all ranks. */
    boolean isSmallAllReduce() {
      return collective == Collective.ALL_REDUCE
          && op != PreMulSum.OP_CODE // ranks need not make equally many of them
          && bytes() <= Aggregate.MAX_PART_BYTES;
    }

    boolean isLike(Whole other) {
      return type == other.type && op == other.op;
    }
  }

  /** Sends and receives whose arguments are right. */
  record Messages(Calls calls, GroupedWork work, List<TransferBatch.Piece> pieces)
      implements Call {}

  /** A call with a wrong argument. */
  record Mistake(Calls calls, GroupedWork work, CommException error) implements Call {}
}
