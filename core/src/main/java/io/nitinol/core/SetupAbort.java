// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.spi.ResultCode;
import org.jspecify.annotations.Nullable;

/** How a communicator that is being made is told to give up. Safe for any thread. */
final class SetupAbort {
  private @Nullable Runnable action;
  private boolean aborted;

  /** Sets what ends the wait that begins now; it runs at once where the word has come already. */
  void onAbort(Runnable ending) {
    boolean now;
    synchronized (this) {
      action = ending;
      now = aborted;
    }
    if (now) {
      ending.run();
    }
  }

  /** Gives the word. */
  void abort() {
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

  /** Returns whether the word has come. */
  synchronized boolean isAborted() {
    return aborted;
  }

  /** Returns what a setup that was told to give up fails with. */
  static CommException failure(int rank, @Nullable Throwable cause) {
    return new CommException(
        ResultCode.INVALID_USAGE,
        rank,
        "rank " + rank + " was told to abort by its application",
        cause);
  }
}
