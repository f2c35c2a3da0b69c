// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import org.jspecify.annotations.Nullable;

/** Tells the setup of a communicator to give up. */
@AnyThread
public final class SetupAbort {
  private @Nullable Runnable action;
  private boolean aborted;

  /** Sets what ends the wait that begins now; runs it at once after {@link #abort}. */
  public void onAbort(Runnable ending) {
    boolean now;
    synchronized (this) {
      action = ending;
      now = aborted;
    }
    if (now) {
      ending.run();
    }
  }

  /** Tells the setup to give up. May be called again, which does nothing. */
  public void abort() {
    Runnable ending;
    synchronized (this) {
      if (aborted) {
        return;
      }
      aborted = true;
      ending = action;
    }
    if (ending != null) {
      ending.run();
    }
  }

  /** Returns whether the setup was told to give up. */
  public synchronized boolean isAborted() {
    return aborted;
  }

  /** Returns what a setup that was told to give up fails with. */
  public static CommException failure(int rank, @Nullable Throwable cause) {
    return new CommException(
        ResultCode.INVALID_USAGE,
        rank,
        ErrorText.of("rank %d was told to abort by its application", rank),
        cause);
  }
}
