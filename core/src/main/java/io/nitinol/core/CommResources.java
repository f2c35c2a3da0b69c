// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.progress.Engine;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ResultCode;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a communicator holds beside its engine, and the order in which it is given back. */
final class CommResources {
  /** How long operations under way get to end when a communicator is closed. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final int rank;
  private final Arena arena;
  private final AutoCloseable membership;
  private final DebugLogger logger;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Takes the resources over.
   *
   * @param arena the memory of all slots
   * @param membership says goodbye to the other ranks when it is closed
   */
  CommResources(int rank, Arena arena, AutoCloseable membership, DebugLogger logger) {
    this.rank = rank;
    this.arena = arena;
    this.membership = membership;
    this.logger = logger;
  }

  boolean isClosed() {
    return closed.get();
  }

  void close(Engine engine) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (!engine.drain(DRAIN_NANOS)) {
      engine
          .failures()
          .fail(
              new CommException(
                  ResultCode.INVALID_USAGE,
                  rank,
                  "rank "
                      + rank
                      + " closed its communicator while operations were under way, which did not"
                      + " end within "
                      + TimeUnit.NANOSECONDS.toSeconds(DRAIN_NANOS)
                      + " s",
                  null));
    }
    CommException failure = null;
    try {
      if (engine.close()) {
        arena.close();
      } else {
        logger.warn(
            "Communicator",
            "rank "
                + rank
                + ": a thread is still inside the network plugin; its buffers are not freed");
      }
    } catch (CommException e) {
      arena.close();
      failure = e;
    }
    try {
      membership.close();
    } catch (Exception e) {
      if (failure == null) {
        failure =
            new CommException(
                ResultCode.SYSTEM_ERROR,
                -1,
                "rank " + rank + " could not say goodbye to the other ranks: " + e.getMessage(),
                e);
      } else {
        failure.addSuppressed(e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
