// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import org.jspecify.annotations.Nullable;

/**
 * A comm: what sending ends, receiving ends and members of groups have in common, which is how they
 * fail and how they end. One thread drives it at a time (NET-THREAD-03).
 */
abstract class MemoryConnection implements Comm {
  /** The instance that made it, which alone may be asked to use it (NET-ERR-02). */
  final Object plugin;

  private volatile boolean open = true; // read by the thread that registers, NET-THREAD-04
  private @Nullable ResultCode failure;
  private String reason = "";
  private boolean broken;

  MemoryConnection(Object plugin) {
    this.plugin = plugin;
  }

  /**
   * Moves all operations on as far as possible without waiting; ends with {@link #fail} at worst.
   */
  abstract void progress();

  /** Lets the peers know that nothing will come from here any more. */
  abstract void leave();

  /** Frees what it holds. */
  abstract void free();

  final boolean isOpen() {
    return open;
  }

  /** Notes why operations cannot complete. The first reason counts. */
  final void fail(ResultCode code, String why) {
    if (failure == null) {
      failure = code;
      reason = why;
      leave();
    }
  }

  final boolean hasFailed() {
    return failure != null;
  }

  /**
   * Throws if the failure has been told: from then on every operation ends so (NET-ERR-05). What is
   * complete when a failure is found out can still be fetched until it is told (NET-CLOSE-04).
   */
  final void checkNotBroken() {
    if (broken) {
      throw broken();
    }
  }

  /** Tells the failure. */
  final NetException broken() {
    broken = true;
    return new NetException(failure == null ? ResultCode.INTERNAL_ERROR : failure, reason);
  }

  /** Asks about one operation, having moved on all of them (NET-TEST-03). */
  final boolean test(MemoryOperation operation, int @Nullable [] sizes) {
    if (!broken) {
      if (failure == null) {
        progress();
      }
      if (operation.isComplete()) {
        if (sizes != null) {
          operation.report(sizes);
        }
        operation.release();
        return true;
      }
      if (failure == null) {
        return false;
      }
    }
    operation.release(); // NET-TEST-10
    throw broken();
  }

  /** Ends it, whatever is in flight: from here on nothing touches the caller's memory. */
  final void close() {
    open = false;
    leave();
    free();
  }
}
