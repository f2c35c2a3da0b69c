// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

/**
 * One run of an {@link StreamOperation}. One thread at a time goes on with it, not always the same.
 */
@FunctionalInterface
interface StreamWork {

  /** Nothing is left to do. */
  StreamWork NONE = () -> Progress.DONE;

  /** How far a call has come. */
  enum Progress {
    /** The work is complete. */
    DONE,
    /** Something was done and more is to do. */
    MORE,
    /** Nothing could be done: the work waits for another stream, process or number. */
    BLOCKED
  }

  /** Does a piece of a bounded size and never waits. Not called again once it is done. */
  Progress advance();
}
