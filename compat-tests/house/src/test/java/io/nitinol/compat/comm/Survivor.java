// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.chaos.Leftovers;
import io.nitinol.chaos.RandomProgram;
import io.nitinol.chaos.SumCheck;
import io.nitinol.core.CommConfig;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
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
   * @param aborts whether this rank aborts when it is sent a byte
   * @param say gets {@code running}, {@code failed RANK MESSAGE}, {@code shrunk SIZE} or {@code
   *     alone MESSAGE}, {@code left LIST}
   */
  static void run(
      UniqueId id, int nRanks, int rank, long seed, boolean aborts, Consumer<String> say) {
    // What the JVM opens once and for all is there then, such as what closing sockets needs.
    Communicator.initAll(2, CommConfig.standard()).forEach(Communicator::close);
    List<String> before = Leftovers.now();
    try (Communicator comm = Communicator.init(id, nRanks, rank)) {
      if (aborts) {
        abortWhenTold(comm, System.in);
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
          } catch (CommException alone) {
            // A rank that was stopped may find that the others have gone on without it.
            say.accept("alone " + alone.getMessage());
          }
        }
      }
    }
    say.accept("left " + Leftovers.since(before));
  }

  private static void abortWhenTold(Communicator comm, InputStream word) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            if (word.read() >= 0) {
              comm.abort();
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
