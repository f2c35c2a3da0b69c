// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import java.lang.foreign.MemorySegment;

/** What a thread of {@link StepHelpers} takes off the thread that offers it. */
@FunctionalInterface
public interface HelperWork {
  /**
   * Does the work, and returns where there is nothing left of it. Throws nothing: nobody would hear
   * it.
   *
   * @param scratch {@link Fold#BLOCK_BYTES} bytes that belong to the calling thread
   */
  void work(MemorySegment scratch);
}
