// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.progress.Engine;
import io.nitinol.toolkit.thread.AnyThread;

/** A call that becomes an operation after its caller has got a handle of it. */
@AnyThread
public sealed interface SubmittedLater permits GroupedCall, PreparedCall {
  /** Returns the engine that does the operation. */
  Engine engine();

  /**
   * Returns the number of the operation.
   *
   * @throws io.nitinol.core.CommException INVALID_USAGE where the call has become none
   */
  long sequence();
}
