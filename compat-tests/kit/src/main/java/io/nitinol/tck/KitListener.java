// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck;

import io.nitinol.tck.result.CaseResult;

/** Is told of the progress of a run. Called on the thread that runs it. */
public interface KitListener {

  /** A test begins. */
  default void starting(KitTest test, int index, int total) {}

  /** The run waits for a process, which has a bound of its own. Called on any thread. */
  default void waiting() {}

  /** A test has ended. */
  default void finished(CaseResult result, int index, int total) {}
}
