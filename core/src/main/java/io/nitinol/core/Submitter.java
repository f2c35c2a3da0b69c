// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Takes operations whose arguments have been checked, and numbers them. Safe for any thread. */
interface Submitter {

  /**
   * Submits a collective; what a rank does not have of its buffers is {@link MemorySegment#NULL}.
   *
   * @param count elements, in the sense of {@link io.nitinol.core.schedule.Schedule#plan}
   * @param op the operator's number, 0 where there is none
   * @param function the kernel, or null where nothing is reduced
   * @param root the rank that it begins or ends at, 0 where there is none
   * @param completion called once when it is done and before anybody can know, by any thread; must
   *     be short; or null
   * @return the operation's number
   */
  long collective(
      Collective collective,
      MemorySegment input,
      MemorySegment output,
      long count,
      DataType type,
      int op,
      @Nullable ReduceFunction function,
      int root,
      @Nullable Runnable completion);

  /** Submits sends and receives that belong together; returns the operation's number. */
  long transfers(TransferBatch batch);

  /** Throws where nothing is taken any more. */
  void check();
}
