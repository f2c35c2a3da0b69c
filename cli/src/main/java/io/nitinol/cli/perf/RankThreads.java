// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.command.ExitStatus;
import io.nitinol.core.CommException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntUnaryOperator;

/** Runs ranks of this process, each on a thread, and finds out which one is to blame. */
final class RankThreads {
  private RankThreads() {}

  /**
   * Runs them to their end.
   *
   * @param first the first rank
   * @param count how many, one after the other
   * @param body runs a rank, and returns its exit status
   * @return the greatest exit status
   */
  static int run(int first, int count, IntUnaryOperator body) {
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("rank-", first).factory())) {
      List<Future<Integer>> ranks = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int rank = first + i;
        ranks.add(threads.submit(() -> body.applyAsInt(rank)));
      }
      return status(first, ranks);
    }
  }

  private static int status(int first, List<Future<Integer>> ranks) {
    int status = ExitStatus.OK;
    RuntimeException failure = null;
    for (int i = 0; i < ranks.size(); i++) {
      try {
        status = Math.max(status, ranks.get(i).get());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while the ranks were running", e);
      } catch (ExecutionException e) {
        RuntimeException cause =
            e.getCause() instanceof RuntimeException known
                ? known
                : new IllegalStateException(e.getCause());
        // The others only say that this one has failed.
        boolean own = !(cause instanceof CommException comm) || comm.failedRank() == first + i;
        failure = failure == null || own ? cause : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return status;
  }
}
