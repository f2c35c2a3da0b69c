// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.chaos.SumCheck;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** A rank that reduces until that fails, and then reduces in a communicator made anew. */
final class Restarter {
  private Restarter() {}

  /**
   * Runs.
   *
   * @param victim the rank that will not be in the second communicator; -1 where all will be
   * @param count how many elements are reduced until it fails
   * @param say gets {@code running}, {@code failed RANK MESSAGE}, {@code again MILLISECONDS}
   */
  static void run(
      UniqueId first,
      int nRanks,
      int rank,
      UniqueId second,
      int victim,
      long count,
      Consumer<String> say) {
    try (Communicator comm = Communicator.init(first, nRanks, rank)) {
      SumCheck.allReduce(comm, count, false, 1);
      endless(comm, count, say);
    } catch (CommException e) {
      say.accept("failed " + e.failedRank() + " " + e.getMessage());
    }
    long start = System.nanoTime();
    int size = victim < 0 ? nRanks : nRanks - 1;
    int place = victim >= 0 && rank > victim ? rank - 1 : rank;
    try (Communicator comm = Communicator.init(second, size, place)) {
      for (int i = 0; i < 5; i++) {
        SumCheck.allReduce(comm, count, i % 2 == 0, i);
      }
    }
    say.accept("again " + (System.nanoTime() - start) / 1_000_000);
  }

  private static void endless(Communicator comm, long count, Consumer<String> say) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(4 * count, 64);
      for (int i = 0; ; i++) {
        comm.allReduce(buffer, buffer, count, DataType.INT32, ReductionOp.MAX).await();
        if (i == 3) {
          say.accept("running");
        }
      }
    } finally {
      comm.close(); // whose threads may still hold the buffer
    }
  }
}
