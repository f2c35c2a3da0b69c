// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory between a communicator and its network plugin. It is freed only when nothing can be
 * using it any more: a thread that is still inside the plugin, or a connection whose close failed,
 * may write to it at any time, and keeps it for the life of the process.
 */
public final class CommMemory {
  private final Arena arena = Arena.ofShared();
  private final int rank;
  private final DebugLogger logger;
  private final List<String> users = new ArrayList<>();

  /** Creates memory of which nothing is allocated yet. */
  public CommMemory(int rank, DebugLogger logger) {
    this.rank = rank;
    this.logger = logger;
  }

  /** Returns what allocates the memory. */
  public Arena arena() {
    return arena;
  }

  /** Keeps the memory from being freed, because of {@code user}. */
  public synchronized void keep(String user) {
    users.add(user);
  }

  /** Frees the memory, or logs why that must not be done. To be called once. */
  public synchronized void free() {
    if (users.isEmpty()) {
      try {
        arena.close();
        return;
      } catch (IllegalStateException e) {
        users.add("a native call that is under way (" + e.getMessage() + ")");
      }
    }
    logger.warn(
        "Communicator",
        ErrorText.of(
            "rank %s: the memory of its connections is never freed, since it may still be in "
                + "use: %s",
            rank, String.join("; ", users)));
  }
}
