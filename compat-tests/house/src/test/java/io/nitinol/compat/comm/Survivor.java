// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A rank that works until its communicator fails, goes on with the other survivors, and then looks
 * for what was left behind.
 */
final class Survivor {
  private Survivor() {}

  /**
   * Runs.
   *
   * @param aborts whether this rank aborts at some moment
   * @param say gets {@code running}, {@code failed RANK MESSAGE}, {@code shrunk SIZE}, {@code left
   *     LIST}
   */
  static void run(
      UniqueId id, int nRanks, int rank, long seed, boolean aborts, Consumer<String> say) {
    List<String> before = Leftovers.now();
    try (Communicator comm = Communicator.init(id, nRanks, rank)) {
      if (aborts) {
        abortLater(comm, new SplittableRandom(seed).nextInt(100));
      }
      try {
        for (int step = 0; ; step++) {
          RandomProgram.withoutSplits(seed + step, comm).run(20);
          if (step == 1) {
            say.accept("running");
          }
        }
      } catch (CommException e) {
        say.accept("failed " + e.failedRank() + " " + e.getMessage());
        if (e.failedRank() >= 0 && e.failedRank() != rank) {
          try (Communicator rest = comm.shrink(e.failedRank())) {
            SumCheck.allReduce(rest, 10_000, false, 5);
            say.accept("shrunk " + rest.size());
          }
        }
      }
    }
    say.accept("left " + Leftovers.since(before));
  }

  private static void abortLater(Communicator comm, int millis) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2000L + millis));
          comm.abort();
        });
  }
}
