// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.chaos.Leftovers;
import io.nitinol.chaos.SumCheck;
import io.nitinol.core.CommConfig;
import io.nitinol.core.CommException;
import io.nitinol.core.Communicator;
import io.nitinol.core.bootstrap.UniqueId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A rank that shrinks to the ranks that are left, and again when one of these is lost meanwhile.
 */
final class Shrinker {
  private Shrinker() {}

  /**
   * Runs.
   *
   * @param lingers whether this rank does not shrink but waits for its end
   * @param say gets {@code running}, {@code failed RANK MESSAGE}, {@code shrinks}, {@code lost RANK
   *     RESULT MESSAGE} for each rank of the first communicator that is lost while shrinking,
   *     {@code shrunk SIZE}, {@code left LIST}
   */
  static void run(UniqueId id, int nRanks, int rank, boolean lingers, Consumer<String> say) {
    Communicator.initAll(2, CommConfig.standard()).forEach(Communicator::close);
    List<String> before = Leftovers.now();
    try (Communicator comm = Communicator.init(id, nRanks, rank)) {
      TreeSet<Integer> gone = new TreeSet<>();
      try {
        for (int i = 0; ; i++) {
          SumCheck.allReduce(comm, 1000, false, i);
          if (i == 20) {
            say.accept("running");
          }
        }
      } catch (CommException e) {
        say.accept("failed " + e.failedRank() + " " + e.getMessage());
        gone.add(e.failedRank());
      }
      if (lingers) {
        System.in.read(); // the test ends this process
      }
      say.accept("shrinks");
      while (!goOn(comm, gone, say)) {
        if (gone.size() == nRanks) {
          throw new IllegalStateException("everybody is lost: " + gone);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    say.accept("left " + Leftovers.since(before));
  }

  /** Works without the lost ranks; if another one is lost, adds it to them. */
  private static boolean goOn(Communicator comm, TreeSet<Integer> gone, Consumer<String> say) {
    int[] there = IntStream.range(0, comm.size()).filter(each -> !gone.contains(each)).toArray();
    int[] excluded = gone.stream().mapToInt(each -> each).toArray();
    Communicator rest;
    try {
      rest = comm.shrink(excluded);
    } catch (CommException e) {
      say.accept("lost " + e.failedRank() + " " + e.result() + " " + e.getMessage());
      gone.add(e.failedRank());
      return false;
    }
    try (rest) {
      for (int i = 0; i < 20; i++) {
        SumCheck.allReduce(rest, 10_000, false, i);
      }
      rest.finish();
      say.accept("shrunk " + rest.size());
      return true;
    } catch (CommException e) {
      int lost = e.failedRank() < 0 ? -1 : there[e.failedRank()];
      say.accept("lost " + lost + " " + e.result() + " after it had joined: " + e.getMessage());
      gone.add(lost);
      return false;
    }
  }
}
