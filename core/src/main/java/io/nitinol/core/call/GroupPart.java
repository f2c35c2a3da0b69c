// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.toolkit.thread.OnlyThread;

/**
 * What one communicator does at the end of a group. The end prepares all parts before it submits
 * any, and then submits in turn, operation by operation.
 */
@OnlyThread("group's thread")
public interface GroupPart {
  /**
   * Checks what concerns several calls; submits nothing.
   *
   * @return how many operations there are to submit
   * @throws CommException when the group cannot be submitted
   */
  int prepare();

  /**
   * Submits operation {@code index}, if there are so many.
   *
   * @return whether there are
   * @throws CommException when it cannot be submitted any more
   */
  boolean submit(int index);

  /**
   * Takes note that the group was submitted in part, and never will be in whole. Work that waits
   * for the rest has to end.
   *
   * @param error what the group's end throws
   */
  default void brokenOff(CommException error) {}

  /** Gives back what operations that were not submitted would have used. */
  void release();
}
