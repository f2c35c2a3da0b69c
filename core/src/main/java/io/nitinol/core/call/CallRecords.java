// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Makes the records of a communicator's calls, and gives out the same one where a loop makes the
 * same call again, so that a call allocates nothing whatever the JIT makes of it. Keeps as many as
 * operations can be under way; threads that race at worst make a record twice.
 */
@AnyThread
final class CallRecords {
  private static final int BITS = 8;

  private final @Nullable CollectiveCall[] known = new CollectiveCall[1 << BITS];

  /** Returns the record with these components. */
  CollectiveCall of(
      Collective collective,
      MemorySegment input,
      MemorySegment output,
      long count,
      DataType type,
      int op,
      @Nullable ReduceFunction function,
      int root) {
    int place = place(input.address() + 31 * output.address() + 961 * count);
    CollectiveCall call = known[place];
    if (call == null || !call.is(collective, input, output, count, type, op, function, root)) {
      call = new CollectiveCall(collective, input, output, count, type, op, function, root);
      known[place] = call;
    }
    return call;
  }

  /** Spreads numbers that differ in a few bits only. */
  private static int place(long number) {
    return (int) ((number * 0x9e3779b97f4a7c15L) >>> (Long.SIZE - BITS));
  }
}
