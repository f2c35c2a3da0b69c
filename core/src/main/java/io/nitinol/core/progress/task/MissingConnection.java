// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import org.jspecify.annotations.Nullable;

/** What an operation lacks that cannot begin yet. */
public sealed interface MissingConnection {

  /** The connection with a rank. */
  record WithRank(int rank) implements MissingConnection {}

  /** The shared memory of the host; it is not known which of its ranks has not asked for it. */
  record HostMemory() implements MissingConnection {
    static final HostMemory INSTANCE = new HostMemory();
  }

  /** The shared memory of the host, which a rank of it has not asked for. */
  record HostMemoryOf(int rank) implements MissingConnection {}

  /**
   * Returns the connection with {@code rank}: {@code known} if it is that, since an operation asks
   * again and again.
   */
  static MissingConnection withRank(int rank, @Nullable MissingConnection known) {
    return known instanceof WithRank(int same) && same == rank ? known : new WithRank(rank);
  }

  /**
   * Returns the shared memory of the host.
   *
   * @param rank one that has not asked for it; negative where none is known
   * @param known returned if it is the same
   */
  static MissingConnection hostMemory(int rank, @Nullable MissingConnection known) {
    if (rank < 0) {
      return HostMemory.INSTANCE;
    }
    return known instanceof HostMemoryOf(int same) && same == rank ? known : new HostMemoryOf(rank);
  }

  /**
   * Returns the rank that the operation waits for, or {@link Task#NOBODY} where that is unknown.
   */
  default int waitsFor() {
    return switch (this) {
      case WithRank(int rank) -> rank;
      case HostMemory() -> Task.NOBODY;
      case HostMemoryOf(int rank) -> rank;
    };
  }

  /** Returns what is missing, to follow "waits for". */
  default String describe() {
    return switch (this) {
      case WithRank(int rank) -> "its connection with rank " + rank;
      case HostMemory() -> "the memory that it shares with the other ranks of its host";
      case HostMemoryOf(int rank) ->
          "the memory that it shares with the other ranks of its host, which rank "
              + rank
              + " has not asked for";
    };
  }
}
